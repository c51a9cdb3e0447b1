import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { controlPlaneDigest } from "../../../src/platform/control-plane-settings.ts";
import { regionOf } from "../../../src/platform/regions.ts";

const workspace = "00000000-0000-4000-8000-00000000000a";

function digest(url: string, workspaceId = workspace, apiKey = "key") {
  const settings = { url: new URL(url), apiKey, workspaceId };
  return controlPlaneDigest(settings);
}

const own = () => digest("https://example.com/api-host");

test.each([
  ["another key", () => digest("https://example.com/api-host", workspace, "new key")],
  ["final slashes", () => digest("https://example.com/api-host//")],
  ["a host in capitals and the default port", () => digest("https://EXAMPLE.com:443/api-host")],
  ["a workspace in capitals", () => digest("https://example.com/api-host", workspace.toUpperCase())],
])("the digest of a control plane stays the same with %s", (_what, other) => {
  expect(other()).toBe(own());
});

test("the digest of a control plane is one of its URL and its workspace in lower case, so that records stay valid", () => {
  const json = JSON.stringify(["https://example.com/api-host", workspace]);

  expect(digest("https://example.com/api-host", workspace.toUpperCase())).toBe(
    createHash("sha256").update(json).digest("hex"),
  );
});

test.each([
  ["host", () => digest("https://example.org/api-host")],
  ["path", () => digest("https://example.com")],
  ["port", () => digest("https://example.com:8443/api-host")],
  ["workspace", () => digest("https://example.com/api-host", `${workspace}b`)],
])("the digest of a control plane differs with another %s", (_what, other) => {
  expect(other()).toMatch(/^[0-9a-f]{64}$/);
  expect(other()).not.toBe(own());
});

test.each([
  ["https://api.host.langchain.com/", "https://smith.langchain.com"],
  ["https://eu.api.host.langchain.com:443/x", "https://eu.smith.langchain.com"],
  ["https://agents.example/api-host", undefined],
  ["http://api.host.langchain.com", undefined],
])("a control plane at %s belongs to the region of its origin", (url, console) => {
  expect(regionOf(new URL(url))?.console).toBe(console);
});
