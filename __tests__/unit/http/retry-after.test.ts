import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { retryAfterMs } from "../../../src/http/retry-after.ts";

const now = Date.parse("2026-03-02T09:00:00Z");

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ["", undefined],
  ["0", 0],
  ["7", 7_000],
  [" 7 ", 7_000],
  ["-7", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["7 s", undefined],
  ["Mon, 02 Mar 2026 09:00:30 GMT", 30_000],
  ["Monday, 02-Mar-26 09:00:30 GMT", 30_000],
  ["Mon Mar  2 09:00:30 2026 GMT", 30_000],
  ["Mon, 02 Mar 2026 08:59:59 GMT", undefined],
  ["Mon, 02 Mar 2026 09:00:00 GMT", undefined],
])("%j: %p", (header, pause) => expect(retryAfterMs(header, now)).toBe(pause));

test("whatever stands there, the pause is a number that is not negative, or none", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (header) => {
        const pause = retryAfterMs(header, now);
        expect(pause === undefined || pause >= 0).toBe(true);
      },
    ),
  );
});
