import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { PathSegmentError, routesBelow, segment } from "../../../src/platform/routes.ts";
import { anyText } from "../support/any-text.ts";

describe("below the base address", () => {
  test.each([
    ["https://host.example", "https://host.example/v2/deployments/d/revisions/r"],
    ["https://host.example/", "https://host.example/v2/deployments/d/revisions/r"],
    ["https://host.example/api-host", "https://host.example/api-host/v2/deployments/d/revisions/r"],
    ["https://host.example/api-host///", "https://host.example/api-host/v2/deployments/d/revisions/r"],
    ["http://127.0.0.1:8124/a/b", "http://127.0.0.1:8124/a/b/v2/deployments/d/revisions/r"],
  ])("%s", (base, expected) => {
    expect(routesBelow(new URL(base)).revision("d", "r").href).toBe(expected);
  });
});

test("a name goes into the query, encoded", () => {
  const url = routesBelow(new URL("https://host.example/x")).deploymentsNamed("a&b=c d", {
    limit: 100,
    offset: 200,
  });
  expect(url.href).toBe(
    "https://host.example/x/v2/deployments?name_contains=a%26b%3Dc+d&limit=100&offset=200",
  );
});

test("an id is one segment, whatever it is", () => {
  const routes = routesBelow(new URL("https://host.example/api-host"));
  fc.assert(
    fc.property(anyText({ minLength: 1 }), (id) => {
      fc.pre(id !== "." && id !== "..");
      const url = routes.deployment(id);
      const segments = url.pathname.split("/");
      expect(url.host).toBe("host.example");
      expect(url.search + url.hash).toBe("");
      expect(segments.slice(0, -1)).toEqual(["", "api-host", "v2", "deployments"]);
      expect(decodeURIComponent(String(segments.at(-1)))).toBe(id.toWellFormed());
    }),
  );
});

test.each(["", ".", ".."])("%j is refused", (id) => {
  expect(() => segment(id)).toThrow(PathSegmentError);
});

test("half a character is replaced, as no address can hold it", () => {
  expect(segment("a\ud800")).toBe("a%EF%BF%BD");
});

test.each(["%2e%2e", "%2E", "..."])("%s stays what it is", (id) => {
  const { pathname } = routesBelow(new URL("https://host.example")).deployment(id);
  expect(decodeURIComponent(String(pathname.split("/").at(-1)))).toBe(id);
});
