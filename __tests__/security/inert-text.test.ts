import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { sanitizeExcerpt, sanitizeLine } from "../../src/text/sanitize.ts";
import { outputLines, parseCommand } from "../support/runner/command-parser.ts";
import { readStepLog } from "../support/runner/step-log-reader.ts";
import { times } from "../support/times.ts";
import { hostileText } from "./support/hostile-text.ts";

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
