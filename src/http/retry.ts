import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type Message, preciseDuration, text } from "../text/message.ts";
import { failedBy, hasStatus, isUnsupported, RequestError, wasNotSent } from "./request-error.ts";

export interface RequestContext {
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly cancelled: AbortSignal;
  readonly report: { info(message: Message): void; debug(message: Message): void };
}

export type ShouldRetry = (error: Failure) => boolean;

const maxAttempts = 5;

/** How long a run that reads no `timeout_seconds` retries a request. */
export const defaultRetryMs = 300_000;

/**
 * Retries a call as long as `shouldRetry` allows it, and for at most `retryMs` (0: one attempt). The delay doubles. Half of it
 * is random, so that several runs don't retry at the same time.
 *
 * @throws the last attempt's error
 */
export async function withRetry<T>(
  call: () => Promise<T>,
  shouldRetry: ShouldRetry,
  retryMs: number,
  { clock, random, cancelled, report }: RequestContext,
): Promise<T> {
  const deadline = clock.now() + retryMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Failure) || !shouldRetry(error) || attempt >= maxAttempts) throw error;
      const backoffMs = 500 * 2 ** (attempt - 1);
      const delayMs = Math.max(requestedDelayMs(error), (backoffMs / 2) * (1 + random()));
      if (clock.now() + delayMs > deadline) throw error;
      report.info(text`${error.ending.message} Retrying in ${preciseDuration(delayMs)}.`);
      await clock.sleep(delayMs, cancelled);
    }
  }
}

/** Returns the delay that a server asked for; 0 if none did. */
export function requestedDelayMs(error: Failure | undefined): number {
  return error instanceof RequestError && error.reason.kind === "response" ? error.reason.retryAfterMs : 0;
}

/** Retries connection errors, 408, 429 and 5xx, but neither a 501 of an API that lacks the endpoint nor a 407 of a proxy. */
export const retryIdempotent: ShouldRetry = (error) => {
  if (!(error instanceof RequestError) || isUnsupported(error) || failedBy(error, "proxy")) return false;
  const { status } = error;
  return status === undefined || status === 408 || status === 429 || status >= 500;
};

/** Retries only a write that surely had no effect: it was not sent, or the server asked to come back later (429). */
export const retryIfNoEffect: ShouldRetry = (error) =>
  retryIdempotent(error) && (wasNotSent(error) || hasStatus(error, 429));
