import { expect, test } from "@jest/globals";
import type { FailureReason } from "../../../src/http/request-error.ts";
import { controlPlaneHints, createHintFor } from "../../../src/platform/hints.ts";
import type { RegionName } from "../../../src/platform/regions.ts";
import { rawText, text } from "../../../src/text/message.ts";

const response = (status: number, isFromApi = true) =>
  ({ kind: "response", status, isFromApi, retryAfterMs: 0 }) as const;

function hintOf(failure: FailureReason, region?: RegionName): string {
  return rawText(createHintFor(controlPlaneHints, region)(failure, text`Reach host.example.`));
}

test.each<[number, boolean, string]>([
  [400, true, "inputs"],
  [401, true, "api_key"],
  [403, true, "workspace_id"],
  [401, false, "base address of the control plane"],
  [403, false, "base address of the control plane"],
  [404, true, "still exists"],
  [404, false, "base address of the control plane"],
  [405, false, "base address of the control plane"],
  [409, true, "current state"],
  [413, true, "secrets"],
  [422, true, "inputs"],
  [429, true, "number of requests"],
  [418, true, "control_plane_url"],
  [500, true, "Try again"],
  [503, false, "Try again"],
])("the hint for %d (from the API: %p) names %s", (status, isFromApi, named) => {
  expect(hintOf(response(status, isFromApi))).toContain(named);
});

test("the hint for a redirect asks for the final address", () => {
  expect(hintOf(response(301))).toMatch(/^Set control_plane_url/);
});

test("the hint for a success that is not the API's asks for the base address", () => {
  expect(hintOf(response(200))).toMatch(/^Check that control_plane_url is the base address/);
});

test("hints for 401 and 403 name the region that chose the address, and no others do", () => {
  for (const status of [401, 403]) {
    expect(hintOf(response(status), "eu")).toMatch(
      /control_plane_url is not set.* region eu .* set region if /,
    );
    expect(hintOf(response(status))).not.toContain("region");
  }
  expect(hintOf(response(404), "eu")).toBe(hintOf(response(404)));
});

test("the hint without a response names the address, or after a timeout the input of the time", () => {
  expect(hintOf({ kind: "connection", wasSent: true })).toMatch(/^Check control_plane_url\. .*host\.example/);
  expect(hintOf({ kind: "timeout", wasSent: true })).toMatch(/host\.example.*request_timeout_seconds/);
});
