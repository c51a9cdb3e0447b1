import type { EpochMs } from "../clock.ts";
import { type Failure, toResult } from "../errors.ts";
import { rawText, text } from "../text/message.ts";
import { type RequestContext, requestedDelayMs } from "./retry.ts";

interface PollPolicy {
  /** The time of the last attempt. */
  readonly deadline: EpochMs;
  /** The delay before the next attempt. A longer `Retry-After` wins, up to a minute. */
  readonly delayMs: number;
  /** Whether polling continues after this error of an attempt. */
  readonly mayKeepPolling: (error: Failure) => boolean;
}

/** The value of an attempt, or the failure of the last attempt, if it failed. */
export type Polled<T> =
  | { readonly value: T; readonly lastFailure?: never }
  | { readonly value?: never; readonly lastFailure: Failure | undefined };

/**
 * Polls until an attempt returns a value, or until the deadline. An error that stays the same is logged once.
 *
 * @throws an error after which polling may not continue
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  { deadline, delayMs, mayKeepPolling }: PollPolicy,
  { clock, cancelled, report }: RequestContext,
): Promise<Polled<T>> {
  let logged: string | undefined;
  for (;;) {
    const isLast = clock.now() >= deadline;
    // A failure that an attempt saw counts even if the run is cancelled meanwhile.
    const result = await toResult(attempt, undefined);
    if (result.value !== undefined) return { value: result.value };
    const lastFailure = result.error;
    if (lastFailure !== undefined && !mayKeepPolling(lastFailure)) throw lastFailure;
    cancelled.throwIfAborted();
    if (isLast) return { lastFailure };
    const message = lastFailure?.ending.message;
    const words = message && rawText(message);
    if (words !== undefined && words !== logged) report.info(text`${message} Retrying.`);
    logged = words;
    const requestedMs = requestedDelayMs(lastFailure);
    const leftMs = Math.max(0, deadline - clock.now());
    await clock.sleep(Math.min(Math.max(delayMs, requestedMs), leftMs), cancelled);
  }
}
