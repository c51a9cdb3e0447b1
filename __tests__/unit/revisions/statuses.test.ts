import { describe, expect, test } from "@jest/globals";
import { isUnheardOf, kindOfStatus } from "../../../src/platform/status.ts";

describe("a status counts as", () => {
  test.each([
    ["CREATING", "pending", false],
    ["QUEUED", "pending", false],
    ["AWAITING_BUILD", "pending", false],
    ["BUILDING", "pending", false],
    ["AWAITING_DEPLOY", "pending", false],
    ["DEPLOYING", "pending", false],
    ["UNKNOWN", "pending", false],
    ["DEPLOYED", "deployed", false],
    ["CREATE_FAILED", "failed", false],
    ["BUILD_FAILED", "failed", false],
    ["DEPLOY_FAILED", "failed", false],
    ["FAILED", "failed", false],
    ["SOME_FAILED_STATE", "failed", false],
    ["SKIPPED", "superseded", false],
    ["INTERRUPTED", "interrupted", false],
    ["deployed", "pending", true],
    ["DEPLOYED_PARTIALLY", "pending", true],
    ["constructor", "pending", true],
    ["__proto__", "pending", true],
    ["", "pending", true],
  ])("%j: %s, unheard of %p", (status, kind, unheardOf) => {
    expect(kindOfStatus(status)).toBe(kind);
    expect(isUnheardOf(status)).toBe(unheardOf);
  });
});
