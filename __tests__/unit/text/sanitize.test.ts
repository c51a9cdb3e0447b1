import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { sanitizeExcerpt, sanitizeIndented, sanitizeLine } from "../../../src/text/sanitize.ts";
import { hostileText } from "../../security/support/hostile-text.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";

describe("a line", () => {
  test.each([
    ["a: b :: c", "a: b :: c"],
    ["  padded ", "padded"],
    ["Grüße, 世界 🚀", "Grüße, 世界 🚀"],
    ["two\nlines\r\nthree", "two lines three"],
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["::error::x", ": :error::x"],
    ["a ##[error]x", "a ## [error]x"],
    ["##[##[", "## [## ["],
    ["#\u00ad#[error]x", "# #[error]x"],
    [":\u061c:error::x", ": :error::x"],
    ["##\u001b[0m[error]x", "## [error]x"],
  ])("%j is printed as %j", (text, line) => expect(sanitizeLine(text)).toBe(line));

  test("that was sanitized before stays as it is", () => {
    fc.assert(
      fc.property(hostileText, (text) => expect(sanitizeLine(sanitizeLine(text))).toBe(sanitizeLine(text))),
    );
  });
});

describe("an excerpt", () => {
  test("is never too long, cuts no character in half and holds no command", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, maxLength) => {
        const excerpt = sanitizeExcerpt(text, maxLength);

        expect(excerpt.length).toBeLessThanOrEqual(maxLength);
        expect(excerpt.isWellFormed() || !sanitizeLine(text).isWellFormed()).toBe(true);
        expect(parseCommand(excerpt, () => true)).toBeUndefined();
      }),
    );
  });

  test("ends in an ellipsis if something was cut", () => {
    expect(sanitizeExcerpt("abcdef", 6)).toBe("abcdef");
    expect(sanitizeExcerpt("abcdefg", 6)).toBe("abcde…");
    expect(sanitizeExcerpt("abcd🚀fg", 6)).toBe("abcd…");
  });

  test("keeps up to 40 blanks of indentation if asked for", () => {
    expect(sanitizeIndented("  abcdef", 3)).toBe("  ab…");
    expect(sanitizeIndented(`${" ".repeat(50)}x`, 3)).toBe(`${" ".repeat(40)}x`);
  });
});
