import { expect, test } from "@jest/globals";
import { buildPhase, classifyStatus, failedStage, mayGoLive } from "../../../src/platform/status.ts";

test.each([
  ["CREATING", "pending", true],
  ["QUEUED", "pending", true],
  ["AWAITING_BUILD", "pending", true],
  ["BUILDING", "pending", true],
  ["AWAITING_DEPLOY", "pending", true],
  ["DEPLOYING", "pending", true],
  ["UNKNOWN", "pending", true],
  ["DEPLOYED", "deployed", true],
  ["CREATE_FAILED", "failed", true],
  ["BUILD_FAILED", "failed", true],
  ["DEPLOY_FAILED", "failed", true],
  ["FAILED", "failed", true],
  ["SOME_FAILED_STATE", "failed", true],
  ["SKIPPED", "superseded", true],
  ["INTERRUPTED", "interrupted", true],
  ["deployed", "deployed", true],
  ["Build_Failed", "failed", true],
  ["skipped", "superseded", true],
  ["DEPLOYED_PARTIALLY", "pending", false],
  ["constructor", "pending", false],
  ["__proto__", "pending", false],
])("status %j is %s; known: %p", (raw, kind, isKnown) => {
  expect(classifyStatus(raw)).toEqual({ raw, kind, isKnown });
});

test.each(["", " "])("status %j is unknown, and shown as empty", (raw) => {
  expect(classifyStatus(raw)).toEqual({ raw: "(empty)", kind: "pending", isKnown: false });
});

test.each([
  ["CREATE_FAILED", "build"],
  ["BUILD_FAILED", "build"],
  ["FAILED", "build"],
  ["DEPLOY_FAILED", "deploy"],
  ["deploy_failed", "deploy"],
])("a revision with status %s failed in its %s", (raw, stage) => {
  expect(failedStage(classifyStatus(raw))).toBe(stage);
});

test.each([
  ["CREATING", "before"],
  ["QUEUED", "before"],
  ["AWAITING_BUILD", "before"],
  ["queued", "before"],
  ["BUILDING", "during"],
  ["UNKNOWN", "during"],
  ["NEW_STATUS", "during"],
  ["AWAITING_DEPLOY", "after"],
  ["deploying", "after"],
  ["DEPLOYED", "after"],
  ["BUILD_FAILED", "after"],
  ["SKIPPED", "after"],
  ["INTERRUPTED", "after"],
])("a revision with status %s stands %s its build", (raw, phase) => {
  expect(buildPhase(classifyStatus(raw))).toBe(phase);
});

test("a revision may go live as long as it is pending, has no status yet, or was interrupted", () => {
  const statuses = ["QUEUED", "INTERRUPTED", "DEPLOYED", "DEPLOY_FAILED", "SKIPPED"].map(classifyStatus);

  expect([undefined, ...statuses].map(mayGoLive)).toEqual([true, true, true, false, false, false]);
});
