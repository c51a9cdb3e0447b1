import { setImmediate as macrotask } from "node:timers/promises";
import { afterEach, beforeEach, jest } from "@jest/globals";
import type { GitHubStandIn } from "./github-stand-in.ts";

/** In milliseconds. Delays between requests are shorter in tests, and the timeouts of requests are longer. */
const maxShortDelayMs = 100;

/**
 * Requests wait in real time. This replaces the timers that bound them in every test of the surrounding `describe`;
 * sockets have timers of their own.
 */
export function useFakeTimeouts(): void {
  const doNotFake = ["Date", "hrtime", "nextTick", "performance", "queueMicrotask"] as const;
  beforeEach(() => {
    const setShortTimeout = globalThis.setTimeout;
    jest.useFakeTimers({ doNotFake: [...doNotFake, "setImmediate", "setInterval"] });
    const setLongTimeout = globalThis.setTimeout;
    jest
      .spyOn(globalThis, "setTimeout")
      .mockImplementation((callback, delayMs = 0, ...args) =>
        (delayMs > maxShortDelayMs ? setLongTimeout : setShortTimeout)(callback, delayMs, ...args),
      );
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });
}

/**
 * Waits for a run while GitHub does not respond to any request: the time of each is over as soon as it arrived. Needs
 * `useFakeTimeouts`.
 */
export async function endInSilence<T>(github: GitHubStandIn, run: Promise<T>): Promise<T> {
  const heal = github.fail({ kind: "hang", match: { times: "always" } });
  let isOver = false;
  const result = run.finally(() => {
    isOver = true;
  });
  for (let seen = -1; !isOver; await macrotask()) {
    if (github.requests.length === seen) continue;
    seen = github.requests.length;
    await jest.advanceTimersByTimeAsync(30_000);
  }
  heal();
  return await result;
}
