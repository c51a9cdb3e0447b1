import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { formatDelay } from "../text/format.ts";
import { code, type Message, text } from "../text/message.ts";
import { RequestError } from "./request-error.ts";

/** What requests need of a run. */
export interface RequestContext {
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly cancelled: AbortSignal;
  readonly report: { info(message: Message): void };
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  /** No attempt starts later than this after the first one began, in milliseconds. */
  readonly maxMs: number;
  /** The longest delay before the second attempt, in milliseconds; it doubles with each further one. */
  readonly firstDelayMs?: number;
}

/** Up to five attempts. `maxMs` as in `RetryPolicy`. */
export function retryFor(maxMs: number): RetryPolicy {
  return { maxAttempts: 5, maxMs };
}

/** For callers that poll or can do without a response. */
export const singleAttempt: RetryPolicy = { maxAttempts: 1, maxMs: 0 };

export type ShouldRetry = (error: Failure) => boolean;

/**
 * Calls until it succeeds, as long as `shouldRetry` allows it after each error. The delay grows exponentially, and half
 * of it is random, so that several runs don't retry at the same time.
 *
 * @throws the last attempt's error, and the reason of a cancellation.
 */
export async function withRetry<T>(
  call: () => Promise<T>,
  shouldRetry: ShouldRetry,
  policy: RetryPolicy,
  { clock, random, cancelled, report }: RequestContext,
): Promise<T> {
  const deadline = clock.now() + policy.maxMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Failure) || !shouldRetry(error) || attempt >= policy.maxAttempts) throw error;
      const delayMs = Math.max(requestedDelayMs(error), backoffMs(attempt, policy, random));
      if (clock.now() + delayMs > deadline) throw error;
      report.info(text`${error.ending.message} Retrying in ${code(formatDelay(delayMs))}.`);
      await clock.sleep(delayMs, cancelled);
    }
  }
}

const maxDelayMs = 10_000;

function backoffMs(attempt: number, { firstDelayMs = 500 }: RetryPolicy, random: () => number): number {
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}

/** A server that asks for more would hide everything that happens until then. */
const maxRequestedDelayMs = 60_000;

/** The delay that a server asked for, up to a minute; 0 if none did. */
export function requestedDelayMs(error: Failure): number {
  const response = [error, error.cause].find((each) => each instanceof RequestError);
  return Math.min(response?.retryAfterMs ?? 0, maxRequestedDelayMs);
}

/** Retries connection errors, 408, 429 and 5xx, but not a 501 by which the API says that it lacks the endpoint. */
export const retryIdempotent: ShouldRetry = (error) => {
  if (!(error instanceof RequestError) || (error.status === 501 && error.isFromApi)) return false;
  return [0, 408, 429].includes(error.status) || error.status >= 500;
};

/** Retries only a write that surely had no effect: it was not sent, or the server asked to come back later (429). */
export const retryIfNotSent: ShouldRetry = (error) =>
  error instanceof RequestError && (!error.sent || error.status === 429);
