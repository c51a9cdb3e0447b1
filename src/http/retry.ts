import { ActionError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { spellDuration } from "../text/duration.ts";

/** What an error says about repeating the request that caused it. */
export interface Repeatable {
  /** What the server asked for, in milliseconds, where it did. */
  readonly pauseMs?: number | undefined;
}

/** Whether a request may be sent again after this error, and when. */
export type Repeatability = (error: ActionError) => Repeatable | undefined;

export interface Patience {
  /** Attempts in all. */
  readonly attempts: number;
  /** No attempt begins after this; milliseconds since the epoch. */
  readonly until: number;
}

/** The patience for what matters; `until` as in `Patience`. */
export function patientUntil(until: number): Patience {
  return { attempts: 5, until };
}

/** The patience of who asks again anyway, or can do without. */
export const impatient: Patience = { attempts: 1, until: 0 };

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** The pause before attempt `attempt + 1`, in milliseconds: doubled each time, with half of it left to chance. */
export function backoffMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}

/**
 * Calls until it succeeds, as long as `repeatable` says of its error that another attempt may help. A defect is thrown
 * at once.
 *
 * @throws the last attempt's error, or the signal's reason once the run is cancelled.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  repeatable: Repeatability,
  patience: Patience,
  ports: Pick<Ports, "clock" | "random" | "cancelled" | "log">,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      const again = repeatable(error);
      if (again === undefined || attempt >= patience.attempts) throw error;
      const pauseMs = Math.max(again.pauseMs ?? 0, backoffMs(attempt, ports.random));
      if (ports.clock.now() + pauseMs > patience.until) throw error;
      ports.log.info(`${error.message} Trying again in ${spellDuration(Math.max(1000, pauseMs))}.`);
      await ports.clock.sleep(pauseMs, ports.cancelled);
    }
  }
}
