import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { routesBelow } from "../../../src/platform/routes.ts";
import { anyText } from "../support/any-text.ts";

test.each([
  ["https://host.example", "https://host.example/v2/deployments/d/revisions/r"],
  ["https://host.example/", "https://host.example/v2/deployments/d/revisions/r"],
  ["https://host.example/api-host", "https://host.example/api-host/v2/deployments/d/revisions/r"],
  ["https://host.example/api-host///", "https://host.example/api-host/v2/deployments/d/revisions/r"],
  ["http://127.0.0.1:8124/a/b", "http://127.0.0.1:8124/a/b/v2/deployments/d/revisions/r"],
])("routes below %s keep its path", (base, expected) => {
  expect(routesBelow(new URL(base)).revision("d", "r").href).toBe(expected);
});

test.each<[string, (routes: ReturnType<typeof routesBelow>) => URL, string]>([
  ["all deployments", (routes) => routes.deployments(), "/v2/deployments"],
  [
    "a page of deployments",
    (routes) => routes.deploymentPage(100, 200),
    "/v2/deployments?limit=100&offset=200",
  ],
  ["a deployment", (routes) => routes.deployment("d/1"), "/v2/deployments/d%2F1"],
  ["the integrations", (routes) => routes.integrations(), "/v1/integrations/github/install"],
  [
    "the repositories of an integration",
    (routes) => routes.integratedRepositories("i/1"),
    "/v1/integrations/github/i%2F1/repos",
  ],
  ["an upload", (routes) => routes.uploadAddress("d"), "/v2/deployments/d/upload-url"],
  ["the revisions", (routes) => routes.revisions("d", 10), "/v2/deployments/d/revisions?limit=10"],
  ["a new revision", (routes) => routes.newRevision("d"), "/v2/deployments/d/revisions"],
  [
    "a log of a project",
    (routes) => routes.projectLog("d", "r/1", "logs"),
    "/v1/projects/d/revisions/r%2F1/logs",
  ],
  ["an OAuth provider", (routes) => routes.provider("p/1"), "/v2/auth/providers/p%2F1"],
])("%s has its address", (_what, address, expected) => {
  expect(address(routesBelow(new URL("https://host.example"))).href).toBe(`https://host.example${expected}`);
});

test("names and options are encoded into the query", () => {
  const routes = routesBelow(new URL("https://host.example/x"));

  expect(routes.deploymentPage(100, 200, "a&b=c d").href).toBe(
    "https://host.example/x/v2/deployments?name_contains=a%26b%3Dc+d&limit=100&offset=200",
  );
  expect(routes.revisionLog("d", "r", { type: "build", limit: "50" }).href).toBe(
    "https://host.example/x/v2/deployments/d/revisions/r/logs?type=build&limit=50",
  );
});

test("an id is one path segment, whatever it contains", () => {
  const routes = routesBelow(new URL("https://host.example/api-host"));

  fc.assert(
    fc.property(anyText({ minLength: 1 }), (id) => {
      // Inputs and schemas refuse these two.
      fc.pre(id !== "." && id !== "..");
      const { host, search, hash, pathname } = routes.deployment(id);
      const [segment = "", ...before] = pathname.split("/").toReversed();
      expect([host, search, hash]).toEqual(["host.example", "", ""]);
      expect(before.toReversed()).toEqual(["", "api-host", "v2", "deployments"]);
      expect(decodeURIComponent(segment)).toBe(id.toWellFormed());
    }),
  );
});

test.each(["%2e%2e", "%2E", "..."])("the id %s stays as it is", (id) => {
  const { pathname } = routesBelow(new URL("https://host.example")).deployment(id);

  expect(decodeURIComponent(String(pathname.split("/").at(-1)))).toBe(id);
});

test("half a character in an id is replaced, because no address can hold it", () => {
  const { pathname } = routesBelow(new URL("https://host.example")).deployment("a\ud800");

  expect(pathname).toBe("/v2/deployments/a%EF%BF%BD");
});
