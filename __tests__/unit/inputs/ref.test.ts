import { describe, expect, test } from "@jest/globals";
import { fullRef, refOfRun } from "../../../src/inputs/ref.ts";

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

test.each([
  ["main", "refs/heads/main"],
  ["feature/a", "refs/heads/feature/a"],
  ["refs/heads/main", "refs/heads/main"],
  ["refs/tags/v1", "refs/tags/v1"],
])("%s in full is %s", (ref, full) => {
  expect(fullRef(ref)).toBe(full);
});
