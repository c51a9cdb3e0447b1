import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { pauseMs } from "../../../src/deployment/poll-delay.ts";

const typicalMs = 200_000;
const long = 600_000;

test.each([
  ["at the start", 0, long, 4000],
  ["at half of the time", 100_000, long, 4000],
  ["a quarter before the end", 150_000, long, 4000],
  ["an eighth before the end", 175_000, long, 2500],
  ["at the end", 200_000, long, 1000],
  ["an eighth after it", 225_000, long, 2500],
  ["a quarter after it", 250_000, long, 4000],
  ["long after it", 900_000, long, 4000],
  ["right after a change of status", 0, 0, 1000],
  ["soon after one", 100_000, 2000, 3000],
  ["after one, close to the end", 199_000, 60, 1060],
])("%s of the usual time", (_when, elapsedMs, inStatusMs, pause) => {
  expect(pauseMs(4000, inStatusMs, 0, { elapsedMs, typicalMs })).toBe(pause);
});

describe("whatever is known", () => {
  const ms = fc.integer({ min: 0, max: 86_400_000 });
  const course = fc.record({ elapsedMs: ms, typicalMs: fc.integer({ min: 1, max: 86_400_000 }) });

  test("a pause is never longer than poll_interval_seconds, nor shorter than a second where that allows it", () => {
    fc.assert(
      fc.property(ms, ms, course, (longest, inStatus, known) => {
        const pause = pauseMs(longest, inStatus, 0, known);
        expect(pause).toBeLessThanOrEqual(longest);
        expect(pause).toBeGreaterThanOrEqual(Math.min(longest, 1000));
      }),
    );
  });

  test("it is as long as the platform asks for", () => {
    fc.assert(
      fc.property(ms, ms, ms, course, (longest, inStatus, asked, known) => {
        expect(pauseMs(longest, inStatus, asked, known)).toBe(
          Math.max(asked, pauseMs(longest, inStatus, 0, known)),
        );
      }),
    );
  });

  test("it is no longer the closer the expected end is", () => {
    fc.assert(
      fc.property(ms, ms, course, ms, (longest, inStatus, known, further) => {
        const away = Math.abs(known.typicalMs - known.elapsedMs) + further;
        const later = { ...known, elapsedMs: known.typicalMs + away };
        expect(pauseMs(longest, inStatus, 0, known)).toBeLessThanOrEqual(
          pauseMs(longest, inStatus, 0, later),
        );
      }),
    );
  });
});
