import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { formatDelay } from "../text/format.ts";
import { code, type Message, text } from "../text/message.ts";
import { ConnectionError } from "./connection-error.ts";
import type { HttpResponse } from "./request.ts";
import { ResponseError } from "./response-error.ts";

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
  /** No attempt starts after this time; milliseconds since the epoch. */
  readonly deadline: number;
  /** The longest delay before the second attempt, in milliseconds; it doubles with each further one. */
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
}

/** In milliseconds. A server that asks for more would hide everything that happens until then. */
export const maxRequestedDelayMs = 60_000;

/** Up to five attempts. `deadline` as in `RetryPolicy`. */
export function retryUntil(deadline: number): RetryPolicy {
  return { maxAttempts: 5, deadline };
}

/** For callers that poll or can do without a response. */
export const singleAttempt: RetryPolicy = { maxAttempts: 1, deadline: 0 };

/** Whether to retry after this error, and the delay that the server asked for, in milliseconds. */
export type ShouldRetry = (error: Failure) => { readonly retryAfterMs?: number | undefined } | undefined;

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
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const retry = shouldRetry(error);
      if (retry === undefined || attempt >= policy.maxAttempts) throw error;
      const requestedMs = Math.min(retry.retryAfterMs ?? 0, maxRequestedDelayMs);
      const delayMs = Math.max(requestedMs, backoffMs(attempt, policy, random));
      if (clock.now() + delayMs > policy.deadline) throw error;
      report.info(text`${error.ending.message} Retrying in ${code(formatDelay(delayMs))}.`);
      await clock.sleep(delayMs, cancelled);
    }
  }
}

function backoffMs(
  attempt: number,
  { firstDelayMs = 500, maxDelayMs = 10_000 }: RetryPolicy,
  random: () => number,
): number {
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}

/** Retries connection errors, 408, 429 and 5xx, but not a 501 by which the API says that it lacks the endpoint. */
export const retryIdempotent: ShouldRetry = (error) => {
  if (error instanceof ConnectionError) return error.retryable ? {} : undefined;
  if (!(error instanceof ResponseError) || (error.status === 501 && error.isFromApi)) return undefined;
  const { status, retryAfterMs } = error;
  return status === 408 || status === 429 || status >= 500 ? { retryAfterMs } : undefined;
};

/** Retries only a write that surely had no effect: it was not sent, or the server asked to come back later (429). */
export const retryIfNotSent: ShouldRetry = (error) => {
  if (error instanceof ConnectionError) return error.retryable && !error.sent ? {} : undefined;
  return error instanceof ResponseError && error.status === 429
    ? { retryAfterMs: error.retryAfterMs }
    : undefined;
};

/**
 * The time of the server that sent these headers, in milliseconds since the epoch, `nowMs` if the response does not show
 * it. Its dates count from there: its clock may differ from ours (https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1).
 */
export function serverTime({ date }: HttpResponse["headers"], nowMs: number): number {
  return Date.parse(date ?? "") || nowMs;
}

/**
 * The delay that a `Retry-After` header asks for, in milliseconds: seconds or an HTTP date
 * (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3). Undefined for anything else and for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const delayMs = /[a-z]/i.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  return delayMs > 0 ? delayMs : undefined;
}
