import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  removeInvisible,
  sanitizeExcerpt,
  sanitizeIndented,
  sanitizeLine,
} from "../../../src/text/sanitize.ts";
import { hostileText } from "../../security/support/hostile-text.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";
import { times } from "../../support/times.ts";

describe("a line", () => {
  test.each([
    ["a: b :: c", "a: b :: c"],
    ["  padded ", "padded"],
    ["Grüße, 世界 🚀", "Grüße, 世界 🚀"],
    ["two\nlines\r\nthree\r\n\r\nand\rmore", "two lines three and more"],
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["::error::x", ": :error::x"],
    ["a ##[error]x", "a ## [error]x"],
    ["##[##[", "## [## ["],
    ["#\u00ad#[error]x", "## [error]x"],
    [":\u061c:error::x", ": :error::x"],
    ["a\u001b(B\u001b[mb\u001bcd\u001b=e", "abde"],
    ["a\u001bP1;2|x\u001b\\b\u001b]8;;https://x.example\u001b\\c", "abc"],
    ["a\u009b1mb\u009d0;title\u009cc", "abc"],
    ["a\u001b\u001b[0m[36mb", "a[36mb"],
    ["a\u001b]0;not closed", "a0;not closed"],
    ["a\ufe0fb\u034fc\u3164d", "abcd"],
    ["a\ufff9b\u0600c", "abc"],
    ["a\tb\u2028c\vd\u0085e", "a  b c d e"],
    ["##\u001b[0m[error]x", "## [error]x"],
  ])("%j is printed as %j", (text, line) => expect(sanitizeLine(text)).toBe(line));

  test("that was sanitized before stays as it is", () => {
    fc.assert(
      fc.property(hostileText, (text) => expect(sanitizeLine(sanitizeLine(text))).toBe(sanitizeLine(text))),
    );
  });
});

test("each line end becomes one, and nothing else of them is left", () => {
  expect(removeInvisible("a\rb\r\nc\n\nd")).toBe("a\nb\nc\n\nd");
});

test("nothing is left that would be removed later, when secrets were searched for", () => {
  const parts = [
    "\u001b",
    "\u009b",
    "\u009d",
    "[",
    "]",
    "(",
    "0",
    "m",
    "\u0007",
    "\u200b",
    "\\u",
    "001b",
    "\udb40",
  ];
  const text = fc.array(fc.constantFrom(...parts, "\udc20", "\n", "\r", "\t", "x"), { maxLength: 20 });
  fc.assert(
    fc.property(text, (chosen) => {
      const visible = removeInvisible(chosen.join(""));

      expect(removeInvisible(visible)).toBe(visible);
      expect(visible).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u);
    }),
    times(1000),
  );
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
