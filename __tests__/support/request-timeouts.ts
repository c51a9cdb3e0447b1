import { afterEach, jest } from "@jest/globals";

afterEach(() => {
  jest.useRealTimers();
});

/**
 * Holds the timeouts of requests in this test: they run out when the returned function lets real time pass, in
 * milliseconds. So no test has to wait for the timeout of a request that hangs.
 */
export function holdTimeouts(): (durationMs: number) => void {
  const doNotFake = [
    "Date",
    "hrtime",
    "nextTick",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "clearImmediate",
    "setInterval",
    "clearInterval",
  ] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake] });
  return (durationMs) => {
    jest.advanceTimersByTime(durationMs);
  };
}
