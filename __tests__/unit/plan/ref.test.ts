import { describe, expect, test } from "@jest/globals";
import { refOfRun } from "../../../src/plan/ref.ts";

describe("the ref of a run", () => {
  test.each([
    ["refs/heads/main", "", "main"],
    ["refs/heads/feature/a/b", "", "feature/a/b"],
    ["refs/heads/refs/heads/odd", "", "refs/heads/odd"],
    ["refs/tags/v1.0", "", "refs/tags/v1.0"],
    ["refs/pull/7/merge", "topic", "topic"],
    ["refs/pull/7/merge", "", undefined],
    ["", "", undefined],
  ])("%j with head %j is %j", (ref, headRef, expected) => {
    expect(refOfRun({ ref, headRef })).toBe(expected);
  });
});
