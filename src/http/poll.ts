import type { EpochMs } from "../clock.ts";
import { type Failure, toResult } from "../errors.ts";
import { type Message, rawText, text } from "../text/message.ts";
import { mayKeepPolling } from "./request-error.ts";
import { type RequestContext, requestedDelayMs } from "./retry.ts";

interface PollTimes {
  /** The time of the last attempt. */
  readonly deadline: EpochMs;
  /** The delay before the next attempt. */
  readonly delayMs: number;
}

interface Attempt {
  readonly endsPolling: boolean;
  /** Why it does not end polling. Logged if it differs from that of the attempt before. */
  readonly pending?: Message | undefined;
  /** The shortest delay before the next attempt. */
  readonly minDelayMs?: number;
}

/** Polls until an attempt sets `endsPolling`, or until the deadline. Returns the last attempt. */
export async function poll<T extends Attempt>(
  attempt: () => Promise<T>,
  { deadline, delayMs }: PollTimes,
  { clock, cancelled, report }: RequestContext,
): Promise<T> {
  let logged = "";
  for (;;) {
    const isLast = clock.now() >= deadline;
    const last = await attempt();
    if (last.endsPolling) return last;
    cancelled.throwIfAborted();
    if (isLast) return last;
    const { pending = text``, minDelayMs = 0 } = last;
    const words = rawText(pending);
    if (words !== "" && words !== logged) report.info(pending);
    logged = words;
    const leftMs = Math.max(0, deadline - clock.now());
    await clock.sleep(Math.min(Math.max(delayMs, minDelayMs), leftMs), cancelled);
  }
}

interface PollPolicy extends PollTimes {
  /** By default, `mayKeepPolling`. */
  readonly mayContinueAfter?: (error: Failure) => boolean;
}

/** The value of an attempt, or the failure of the last attempt, if it failed. */
export type Polled<T> =
  | { readonly value: T; readonly lastFailure?: never }
  | { readonly value?: never; readonly lastFailure: Failure | undefined };

/**
 * Polls until an attempt returns a value, or until the deadline. A `Retry-After` of up to a minute delays the next attempt.
 *
 * @throws an error after which polling may not continue
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  { mayContinueAfter = mayKeepPolling, ...times }: PollPolicy,
  context: RequestContext,
): Promise<Polled<T>> {
  const tryOnce = async () => {
    const { value, error } = await toResult(attempt);
    if (error !== undefined && !mayContinueAfter(error)) throw error;
    const pending = error && text`${error.ending.message} Retrying.`;
    return { endsPolling: value !== undefined, value, error, pending, minDelayMs: requestedDelayMs(error) };
  };
  const { value, error: lastFailure } = await poll(tryOnce, times, context);
  return value === undefined ? { lastFailure } : { value };
}
