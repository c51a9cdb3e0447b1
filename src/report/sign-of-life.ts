import type { Ports } from "../ports.ts";
import { spellBytes } from "../text/bytes.ts";
import { spellDuration } from "../text/duration.ts";

/** A sign of life at least every minute (contract, 3.4); in milliseconds. */
const signOfLifeMs = 30_000;

/** Does what may take long, and tells the log every half minute how much of `what` is there. */
export async function withSignsOfLife<T>(
  { clock, log }: Pick<Ports, "clock" | "log">,
  what: string,
  received: { readonly bytes: number },
  work: () => Promise<T>,
): Promise<T> {
  const started = clock.now();
  const stop = clock.every(signOfLifeMs, () =>
    log.info(`[${spellDuration(clock.now() - started)}] ${spellBytes(received.bytes)} of ${what} so far`),
  );
  try {
    return await work();
  } finally {
    stop();
  }
}
