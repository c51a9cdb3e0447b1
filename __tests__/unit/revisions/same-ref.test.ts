import { expect, test } from "@jest/globals";
import { sameRef } from "../../../src/deployment/same-ref.ts";

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
