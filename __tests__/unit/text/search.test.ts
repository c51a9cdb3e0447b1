import { expect, test } from "@jest/globals";
import { containsPart, matchPattern } from "../../../src/text/search.ts";

test.each([
  ["b+", "abbc", true],
  ["^b", "abbc", false],
  ["^a.*c$", "abbc", true],
  ["A", "abbc", false],
])("expression %s in text %s: %s", (pattern, text, result) => {
  expect(matchPattern(pattern, text)).toBe(result);
});

test.each([
  ["as it is", "]}", true],
  ["with its escapes", String.raw`say \"hi`, true],
  ["in a string, without escapes", 'say "hi"\nnow', true],
  ["across two strings", "nowthen", false],
  ["in another case", "NOW", false],
])("whether a text of JSON contains a part %s", (_where, part, isFound) => {
  const text = JSON.stringify({ count: 1, none: null, texts: ['say "hi"\nnow', "then"] });

  expect(containsPart(text, JSON.parse(text), part)).toBe(isFound);
});

test("a text that is no JSON has no strings but itself", () => {
  expect(containsPart("say hi", undefined, "hi")).toBe(true);
  expect(containsPart("say hi", undefined, "ho")).toBe(false);
});
