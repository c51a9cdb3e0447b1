import { setTimeout as delay } from "node:timers/promises";

/** A time in milliseconds since the epoch. */
export type EpochMs = number;

export interface Clock {
  now(): EpochMs;
  /** @throws the signal's reason as soon as it is aborted */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
  /** Calls back at this interval until the returned function is called. Does not keep the process alive. */
  every(intervalMs: number, callback: () => void): () => void;
}

/** Monotonic, because the machine's clock may be set before a deadline has passed. */
export const systemClock: Clock = {
  now: () => Math.trunc(performance.timeOrigin + performance.now()),
  async sleep(durationMs, signal) {
    // It rejects only if it is aborted, but with an error of its own.
    await delay(durationMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  every(intervalMs, callback) {
    const timer = setInterval(callback, intervalMs).unref();
    return () => clearInterval(timer);
  },
};
