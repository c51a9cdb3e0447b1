/** Writes that have time: the data file may be locked by another program, or its disk full. */
import { setTimeout } from "node:timers/promises";
import { messageOf } from "../errors.ts";
import { isTransient } from "../store/database.ts";

const RETRY_MS = 500;

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
  for (let attempt = 1; ; attempt += 1) {
    try {
      return write();
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (attempt === 1) console.error(`The data file cannot be written: ${messageOf(error)}. Retrying.`);
    }
    if (signal.aborted) return undefined;
    await setTimeout(delayMs, undefined, { signal }).catch(() => {});
  }
}
