import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { pollDelayMs } from "../../../src/http/poll-delay.ts";

test.each([
  [4000, 0, 1000],
  [4000, 4000, 2000],
  [4000, 11_999, 4000],
  [4000, 12_000, 4000],
  [4000, 600_000, 4000],
  [500, 0, 500],
  [60_000, 40_000, 11_000],
])("with at most %d ms, the delay after %d ms in a status is %d ms", (maxDelayMs, inStatusMs, delayMs) => {
  expect(pollDelayMs(maxDelayMs, inStatusMs)).toBe(delayMs);
});

describe("if the typical duration is known", () => {
  const typicalMs = 200_000;
  const long = 600_000;

  test.each([
    ["at the start", 0, long, 4000],
    ["at half of it", 100_000, long, 4000],
    ["a quarter before its end", 150_000, long, 4000],
    ["an eighth before its end", 175_000, long, 2500],
    ["at its end", 200_000, long, 1000],
    ["an eighth after its end", 225_000, long, 2500],
    ["a quarter after its end", 250_000, long, 4000],
    ["long after its end", 900_000, long, 4000],
    ["right after a change of status", 0, 0, 1000],
    ["soon after a change of status", 100_000, 2000, 3000],
    ["after a change of status close to its end", 199_000, 60, 1060],
  ])("the delay %s is right", (_when, elapsedMs, inStatusMs, delayMs) => {
    expect(pollDelayMs(4000, inStatusMs, { elapsedMs, typicalMs })).toBe(delayMs);
  });

  test("a maximum below a second is kept near its end and away from it", () => {
    for (const elapsedMs of [0, 200_000]) {
      expect(pollDelayMs(500, long, { elapsedMs, typicalMs })).toBe(500);
    }
  });
});

describe("a delay", () => {
  const ms = fc.integer({ min: 0, max: 86_400_000 });
  const course = fc.record({ elapsedMs: ms, typicalMs: fc.integer({ min: 1, max: 86_400_000 }) });

  test("is never longer than the maximum, nor shorter than a second if that allows it", () => {
    fc.assert(
      fc.property(ms, ms, fc.option(course, { nil: undefined }), (maxDelayMs, inStatusMs, known) => {
        const delayMs = pollDelayMs(maxDelayMs, inStatusMs, known);
        expect(delayMs).toBeLessThanOrEqual(maxDelayMs);
        expect(delayMs).toBeGreaterThanOrEqual(Math.min(maxDelayMs, 1000));
      }),
    );
  });

  test("does not grow towards the expected end", () => {
    fc.assert(
      fc.property(ms, ms, course, ms, (maxDelayMs, inStatusMs, known, further) => {
        const distance = Math.abs(known.typicalMs - known.elapsedMs) + further;
        const later = { ...known, elapsedMs: known.typicalMs + distance };
        expect(pollDelayMs(maxDelayMs, inStatusMs, known)).toBeLessThanOrEqual(
          pollDelayMs(maxDelayMs, inStatusMs, later),
        );
      }),
    );
  });
});
