import { type Failure, toResult } from "../errors.ts";
import { rawText, text } from "../text/message.ts";
import { type RequestContext, requestedDelayMs } from "./retry.ts";

interface PollPolicy {
  /** When to stop, in milliseconds since the epoch. A last attempt is made at this time. */
  readonly deadline: number;
  /** The delay before the next attempt, in milliseconds. A longer `Retry-After` wins, up to a minute. */
  readonly delayMs: number;
  /** Whether polling goes on after this error of an attempt. */
  readonly mayKeepPolling: (error: Failure) => boolean;
}

/**
 * Polls until an attempt returns a value; undefined if none did by the deadline. An error that stays the same is logged
 * once.
 *
 * @throws errors that are not transient, and the reason of a cancellation.
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  { deadline, delayMs, mayKeepPolling }: PollPolicy,
  { clock, cancelled, report }: Omit<RequestContext, "random">,
): Promise<T | undefined> {
  let lastFailure: string | undefined;
  for (;;) {
    const isLast = clock.now() >= deadline;
    const result = await toResult(attempt, cancelled);
    let requestedMs = 0;
    if ("value" in result) {
      if (result.value !== undefined) return result.value;
      lastFailure = undefined;
    } else {
      if (!mayKeepPolling(result.error)) throw result.error;
      const { message } = result.error.ending;
      if (rawText(message) !== lastFailure) report.info(text`${message} Retrying.`);
      lastFailure = rawText(message);
      requestedMs = requestedDelayMs(result.error);
    }
    if (isLast) return undefined;
    const leftMs = Math.max(0, deadline - clock.now());
    await clock.sleep(Math.min(Math.max(delayMs, requestedMs), leftMs), cancelled);
  }
}
