import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { sanitizeExcerpt, sanitizeLine } from "../../src/text/sanitize.ts";
import { outputLines, parseCommand } from "../support/runner/command-parser.ts";
import { readStepLog } from "../support/runner/step-log-reader.ts";
import { times } from "../support/times.ts";
import { hostileText } from "./support/hostile-text.ts";

test.each([
  ["a soft hyphen", "#\u00ad#[error]owned"],
  ["a combining grapheme joiner", ":\u034f:error::owned"],
  ["an Arabic letter mark", "\u061c::error::owned"],
  ["a Mongolian vowel separator", "##\u180e[error]owned"],
  ["a variation selector", "#\ufe0f#[error]owned"],
  ["a tag", "##\u{e0020}[error]owned"],
  ["an ANSI sequence", "#\u001b[0m#[error]owned"],
  ["an ANSI sequence in one character", "#\u009b0m#[error]owned"],
])("a sanitized line is no command, although %s broke the command up", (_what, text) => {
  expect(sanitizeLine(text)).not.toMatch(/^:\p{DI}*:|#\p{DI}*#\p{DI}*\[/u);
  expect(parseCommand(sanitizeLine(text), () => true)).toBeUndefined();
});

test("sanitized text is one line in which the runner finds no command", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 80 }), (text, length) => {
      for (const inert of [sanitizeLine(text), sanitizeExcerpt(text, length)]) {
        expect(outputLines(`${inert}\n`)).toHaveLength(1);
        expect(inert).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u);
        expect(parseCommand(inert, () => true)).toBeUndefined();
        expect(readStepLog(`${inert}\n`).commands).toEqual([]);
      }
    }),
    times(200),
  );
});
