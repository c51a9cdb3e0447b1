import { describe, expect, test } from "@jest/globals";
import { refOfRun, sameRef } from "../../../src/plan/ref.ts";

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
  ["main", "main", true],
  ["main", "refs/heads/main", true],
  ["refs/tags/v1", "v1", true],
  ["main", "Main", false],
  ["refs/heads/v1", "refs/heads/v2", false],
  ["feature/refs/heads/x", "feature/x", false],
])("%s and %s: the same %p", (one, other, same) => {
  expect(sameRef(one, other)).toBe(same);
  expect(sameRef(other, one)).toBe(same);
});
