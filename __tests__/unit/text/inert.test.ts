import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { inertExcerpt, inertLine, inertSentence } from "../../../src/text/inert.ts";
import { parseCommand } from "../../support/runner/command-parser.ts";
import { readStepLog } from "../../support/runner/step-log-reader.ts";
import { anyText } from "../support/any-text.ts";

/** Text of the kind that makes commands: their marks, names and whatever may stand in between. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "::",
        ":",
        "##[",
        "#",
        "[",
        "]",
        "error",
        "set-output name=a",
        "add-mask",
        "stop-commands",
      ),
      fc.constantFrom("\r", "\n", "\r\n", "\u2028", "\u2029", "\u0085", "\t", "\v", " ", "\u00a0", "\u3000"),
      fc.constantFrom(
        "\u00ad",
        "\u200b",
        "\u200d",
        "\u061c",
        "\u180e",
        "\u2066",
        "\ufeff",
        "\u0000",
        "\u{e0001}",
      ),
      fc.constantFrom("\u001b[31m", "\u001b]8;;http://x\u0007", "\u001b", "\u009b31m"),
      anyText(),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("the runner sees one line without a command, whatever the text is", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const line = inertLine(text);
      expect(parseCommand(line, () => true)).toBeUndefined();
      expect(readStepLog(`${line}\n`).commands).toEqual([]);
      expect(`${line}\n`.split(/\r\n|\n|\r/)).toHaveLength(2);
    }),
    { numRuns: 1000 },
  );
});

test("nothing of it reorders or hides what follows, or talks to a terminal", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(inertLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 1000 },
  );
});

test("what is inert stays as it is", () => {
  fc.assert(fc.property(hostile, (text) => expect(inertLine(inertLine(text))).toBe(inertLine(text))));
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
  ])("%j", (text, line) => expect(inertLine(text)).toBe(line));
});

describe("an excerpt", () => {
  test("is never longer than allowed, and cuts no character in half", () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 30 }), (text, length) => {
        const excerpt = inertExcerpt(text, length);
        expect(excerpt.length).toBeLessThanOrEqual(length);
        expect(excerpt.isWellFormed() || !inertLine(text).isWellFormed()).toBe(true);
        expect(parseCommand(excerpt, () => true)).toBeUndefined();
      }),
    );
  });

  test("ends in an ellipsis where something was cut", () => {
    expect(inertExcerpt("abcdef", 6)).toBe("abcdef");
    expect(inertExcerpt("abcdefg", 6)).toBe("abcde…");
    expect(inertExcerpt("abcd🚀fg", 6)).toBe("abcd…");
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
  ])("%j", (text, sentence) => expect(inertSentence(text, 100)).toBe(sentence));
});
