import { setTimeout as delay } from "node:timers/promises";

/** Time as the action sees it. Tests drive it; see `__tests__/support/virtual-clock.ts`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls back every so many milliseconds until the returned function is called. Doesn't keep the process alive. */
  every(milliseconds: number, callback: () => void): () => void;
}

/** The real time. Deadlines go by it, so it goes on evenly whatever is done to the machine's clock meanwhile. */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
