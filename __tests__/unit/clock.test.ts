import { afterEach, expect, jest, test } from "@jest/globals";
import { systemClock } from "../../src/clock.ts";
import { CancelledError } from "../../src/errors.ts";

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test("the time is that of the machine's clock, in whole milliseconds", () => {
  const now = systemClock.now();

  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  expect(Number.isInteger(now)).toBe(true);
});

test.each([-600_000, 3_600_000])(
  "the time does not jump if the machine's clock is set by %i ms",
  (jumpMs) => {
    const before = systemClock.now();
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + jumpMs);

    const passedMs = systemClock.now() - before;

    expect(passedMs).toBeGreaterThanOrEqual(0);
    expect(passedMs).toBeLessThan(60_000);
  },
);

test("a sleep ends with the reason of a cancellation", async () => {
  const cancellation = new CancelledError("SIGINT");
  const controller = new AbortController();

  const sleep = systemClock.sleep(60_000, controller.signal);
  controller.abort(cancellation);

  await expect(sleep).rejects.toBe(cancellation);
});

test("a callback is called at its interval until it is stopped", () => {
  jest.useFakeTimers();
  let calls = 0;
  const stop = systemClock.every(1000, () => {
    calls += 1;
  });

  jest.advanceTimersByTime(2500);
  stop();
  jest.advanceTimersByTime(5000);

  expect(calls).toBe(2);
});
