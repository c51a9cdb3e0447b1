import type { EpochMs } from "../clock.ts";
import { type Failure, toResult } from "../errors.ts";
import { type Message, rawText, text } from "../text/message.ts";
import { mayKeepPolling } from "./request-error.ts";
import { type RequestContext, requestedDelayMs } from "./retry.ts";

interface PollTimes {
  /** The first attempt at or after this time is the last one. */
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
  /** Returns what is thrown after the deadline. `lastFailure`: that of the last attempt, if it failed. */
  readonly onTimeout: (lastFailure: Failure | undefined) => Failure | Promise<Failure>;
}

/**
 * Polls until an attempt returns a value, or until the deadline. A `Retry-After` of up to a minute delays the next attempt.
 *
 * @throws the failure of `onTimeout`, and an error after which polling may not continue
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  { mayContinueAfter = mayKeepPolling, onTimeout, ...times }: PollPolicy,
  context: RequestContext,
): Promise<T> {
  const tryOnce = async () => {
    const { value, error } = await toResult(attempt);
    if (error !== undefined && !mayContinueAfter(error)) throw error;
    const pending = error && text`${error.ending.message} Retrying.`;
    return { endsPolling: value !== undefined, value, error, pending, minDelayMs: requestedDelayMs(error) };
  };
  const { value, error } = await poll(tryOnce, times, context);
  if (value === undefined) throw await onTimeout(error);
  return value;
}
