import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { formatProgressBar } from "../../../src/report/progress-bar.ts";

test.each([
  [0, "░░░░░░░░░░ BUILDING, usually done after 3 min 20 s: about 3 min 20 s to go"],
  [130_000, "██████░░░░ BUILDING, usually done after 3 min 20 s: about 1 min 10 s to go"],
  [199_000, "█████████░ BUILDING, usually done after 3 min 20 s: about 1 s to go"],
  [200_000, "██████████ BUILDING, longer than usual (3 min 20 s)"],
  [900_000, "██████████ BUILDING, longer than usual (3 min 20 s)"],
])("after %d ms of 200,000", (elapsedMs, words) => {
  expect(formatProgressBar("BUILDING", elapsedMs, 200_000)).toBe(words);
});

test("the bar is ten wide, and grows", () => {
  const ms = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: 1, max: 10_000_000 }), (one, other, usual) => {
      const done = (elapsed: number) => /^(█*)(░*) /.exec(formatProgressBar("X", elapsed, usual));
      const [[, before = ""] = [], [, after = "", rest = ""] = []] = [
        done(Math.min(one, other)) ?? [],
        done(Math.max(one, other)) ?? [],
      ];
      expect(after.length + rest.length).toBe(10);
      expect(before.length).toBeLessThanOrEqual(after.length);
    }),
  );
});
