import { expect, test } from "@jest/globals";
import { matchPattern } from "../../../src/text/search.ts";

test.each([
  ["b+", "abbc", true],
  ["^b", "abbc", false],
  ["^a.*c$", "abbc", true],
  ["A", "abbc", false],
])("expression %s in text %s: %s", (pattern, text, result) => {
  expect(matchPattern(pattern, text)).toBe(result);
});
