import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { apiPath, urlBelow } from "../../../src/http/url.ts";
import { anyText } from "../support/any-text.ts";

test.each([
  ["https://host.example", "https://host.example/v2/deployments/d"],
  ["https://host.example/", "https://host.example/v2/deployments/d"],
  ["https://host.example/api-host", "https://host.example/api-host/v2/deployments/d"],
  ["https://host.example/api-host///", "https://host.example/api-host/v2/deployments/d"],
  ["http://127.0.0.1:8124/a/b", "http://127.0.0.1:8124/a/b/v2/deployments/d"],
])("addresses below %s keep its path", (base, expected) => {
  expect(urlBelow(new URL(base), "/v2/deployments/d").href).toBe(expected);
});

test("values of a query are encoded", () => {
  expect(apiPath`/v2/deployments?name_contains=${"a&b=c d"}&limit=${100}`).toBe(
    "/v2/deployments?name_contains=a%26b%3Dc%20d&limit=100",
  );
});

test("an id is one path segment, whatever it contains", () => {
  const base = new URL("https://host.example/api-host");

  fc.assert(
    fc.property(anyText({ minLength: 1 }), (id) => {
      // Inputs and schemas refuse these two.
      fc.pre(id !== "." && id !== "..");
      const { host, search, hash, pathname } = urlBelow(base, apiPath`/v2/deployments/${id}`);
      const [segment = "", ...before] = pathname.split("/").toReversed();
      expect([host, search, hash]).toEqual(["host.example", "", ""]);
      expect(before.toReversed()).toEqual(["", "api-host", "v2", "deployments"]);
      expect(decodeURIComponent(segment)).toBe(id.toWellFormed());
    }),
  );
});
