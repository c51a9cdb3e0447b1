import type { Context } from "../../context.ts";
import { pollUntil } from "../../http/poll.ts";
import { pollDelayMs } from "../../http/poll-delay.ts";

/** The longest wait for one response, in milliseconds: a service that starts may drop the first requests. */
const maxResponseMs = 10_000;
/** The last request at the end of the time gets at least this, in milliseconds. */
const minResponseMs = 1000;
const maxDelayMs = 5000;

/**
 * Polls until an attempt returns a value, and once more when `timeoutMs` are over; undefined if none did. Each attempt
 * gets the time that one response may take, in milliseconds.
 *
 * @throws what an attempt throws, and the reason of a cancellation.
 */
export async function pollAgent<T>(
  timeoutMs: number,
  attempt: (responseMs: number) => Promise<T | undefined>,
  context: Pick<Context, "clock" | "cancelled" | "log">,
): Promise<T | undefined> {
  const { clock } = context;
  const startedAt = clock.now();
  const deadline = startedAt + timeoutMs;
  const limited = () => {
    const leftMs = Math.max(minResponseMs, deadline - clock.now());
    return attempt(Math.min(maxResponseMs, leftMs));
  };
  const delayMs = () => pollDelayMs(maxDelayMs, clock.now() - startedAt);
  return await pollUntil(limited, { deadline, delayMs, isTransient: () => false }, context);
}
