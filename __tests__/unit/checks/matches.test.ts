import { expect, test } from "@jest/globals";
import { matchesPattern } from "../../../src/deploy/checks/matches.ts";

test.each([
  ["b+", "abbc", true],
  ["^b", "abbc", false],
  ["^a.*c$", "abbc", true],
  ["A", "abbc", false],
])("expression %s in text %s: %p", async (pattern, text, result) => {
  expect(await matchesPattern(pattern, text)).toBe(result);
});

test("an expression that runs away is given up after a second", async () => {
  const result = await matchesPattern("(a+)+$", `${"a".repeat(40)}b`);

  expect(result).toBe("the expression takes more than 1 s or too much memory");
});
