import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import { formatDuration } from "../text/duration.ts";

/** What an error says about repeating the request that caused it. */
export interface Retryable {
  /** What the server asked for, in milliseconds, where it did. */
  readonly pauseMs?: number | undefined;
}

/** Whether a request may be sent again after this error, and when. */
export type ShouldRetry = (error: ActionError) => Retryable | undefined;

export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number;
  /** No attempt begins after this; milliseconds since the epoch. */
  readonly until: number;
}

/** The patience for what matters; `until` as in `RetryPolicy`. */
export function retryUntil(until: number): RetryPolicy {
  return { attempts: 5, until };
}

/** The patience of who asks again anyway, or can do without. */
export const noRetry: RetryPolicy = { attempts: 1, until: 0 };

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/** The pause before attempt `attempt + 1`, in milliseconds: doubled each time, with half of it left to chance. */
export function backoffMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}

/**
 * Calls until it succeeds, as long as `repeatable` says of its error that another attempt may help. A defect is thrown
 * at once.
 *
 * @throws the last attempt's error, or the signal's reason once the run is cancelled.
 */
export async function withRetry<T>(
  call: () => Promise<T>,
  repeatable: ShouldRetry,
  patience: RetryPolicy,
  context: Pick<Context, "clock" | "random" | "cancelled" | "log">,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      const again = repeatable(error);
      if (again === undefined || attempt >= patience.attempts) throw error;
      const pauseMs = Math.max(again.pauseMs ?? 0, backoffMs(attempt, context.random));
      if (context.clock.now() + pauseMs > patience.until) throw error;
      context.log.info(`${error.message} Trying again in ${formatDuration(Math.max(1000, pauseMs))}.`);
      await context.clock.sleep(pauseMs, context.cancelled);
    }
  }
}
