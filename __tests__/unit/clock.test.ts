import { afterEach, expect, jest, test } from "@jest/globals";
import { systemClock } from "../../src/clock.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test("time begins where the machine's clock stands, in whole milliseconds", () => {
  const now = systemClock.now();
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  expect(Number.isInteger(now)).toBe(true);
});

test.each([-600_000, 3_600_000])("a clock that is set by %i ms changes no deadline", (leap) => {
  const before = systemClock.now();
  const set = Date.now() + leap;
  jest.spyOn(Date, "now").mockReturnValue(set);
  const passed = systemClock.now() - before;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(60_000);
});
