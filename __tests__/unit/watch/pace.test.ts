import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { pauseMs } from "../../../src/deployment/poll-delay.ts";

test.each([
  [4_000, 0, 0, 1_000],
  [4_000, 4_000, 0, 2_000],
  [4_000, 11_999, 0, 4_000],
  [4_000, 12_000, 0, 4_000],
  [4_000, 600_000, 0, 4_000],
  [500, 0, 0, 500],
  [60_000, 40_000, 0, 11_000],
  [4_000, 0, 30_000, 30_000],
  [4_000, 600_000, 3_000, 4_000],
])("at most %d ms, %d ms in the status, asked for %d ms: %d ms", (longest, inStatus, asked, pause) => {
  expect(pauseMs(longest, inStatus, asked)).toBe(pause);
});

test("a pause is never longer than the longest, unless the platform asks for it", () => {
  const ms = fc.integer({ min: 0, max: 86_400_000 });
  fc.assert(
    fc.property(ms, ms, ms, (longest, inStatus, asked) => {
      expect(pauseMs(longest, inStatus)).toBeLessThanOrEqual(longest);
      expect(pauseMs(longest, inStatus, asked)).toBe(Math.max(asked, pauseMs(longest, inStatus)));
    }),
  );
});
