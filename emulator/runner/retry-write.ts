/** Writes that have time: the data file may be locked by another program, or its disk full. */
import { setTimeout } from "node:timers/promises";
import { messageOf } from "../errors.ts";
import { isTransient } from "../store/database.ts";

/** Longer than a write waits for a lock, because nothing else happens during that. */
const RETRY_MS = 10_000;

/**
 * The result of a write, which is retried as long as the data file cannot be written.
 * @returns undefined if the signal aborts before the write succeeds
 * @throws every other error of the write
 */
export async function retryWrite<T>(
  write: () => T,
  signal: AbortSignal,
  delayMs = RETRY_MS,
): Promise<T | undefined> {
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!isTransient(error)) throw error;
      console.error(`The data file cannot be written: ${messageOf(error)}. Retrying.`);
    }
    if (signal.aborted) return undefined;
    await setTimeout(delayMs, undefined, { signal }).catch(() => {});
  }
}
