import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { sanitizeExcerpt, sanitizeLine, sanitizeSentence } from "../../../src/text/sanitize.ts";
import { hostileText } from "../../injection/support/hostile-text.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";

test("what is inert stays as it is", () => {
  fc.assert(
    fc.property(hostileText, (text) => expect(sanitizeLine(sanitizeLine(text))).toBe(sanitizeLine(text))),
  );
});

describe("plain text comes through", () => {
  test.each([
    ["a: b :: c", "a: b :: c"],
    ["  padded ", "padded"],
    ["Grüße, 世界 🚀", "Grüße, 世界 🚀"],
    ["two\nlines\r\nthree", "two lines three"],
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["::error::x", ": :error::x"],
    ["a ##[error]x", "a ## [error]x"],
    ["##[##[", "## [## ["],
    ["#\u00ad#[error]x", "# #[error]x"],
    [":\u061c:error::x", ": :error::x"],
    ["##\u001b[0m[error]x", "## [error]x"],
  ])("%j", (text, line) => expect(sanitizeLine(text)).toBe(line));
});

describe("an excerpt", () => {
  test("is never longer than allowed, and cuts no character in half", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, length) => {
        const excerpt = sanitizeExcerpt(text, length);
        expect(excerpt.length).toBeLessThanOrEqual(length);
        expect(excerpt.isWellFormed() || !sanitizeLine(text).isWellFormed()).toBe(true);
        expect(parseCommand(excerpt, () => true)).toBeUndefined();
      }),
    );
  });

  test("ends in an ellipsis where something was cut", () => {
    expect(sanitizeExcerpt("abcdef", 6)).toBe("abcdef");
    expect(sanitizeExcerpt("abcdefg", 6)).toBe("abcde…");
    expect(sanitizeExcerpt("abcd🚀fg", 6)).toBe("abcd…");
  });
});

describe("a sentence ends in a stop of some kind", () => {
  test.each([
    ["no", "no."],
    ["no.", "no."],
    ["no!", "no!"],
    ["(no?)", "(no?)"],
    ['"no."', '"no."'],
    ["", "."],
  ])("%j", (text, sentence) => expect(sanitizeSentence(text, 100)).toBe(sentence));
});
