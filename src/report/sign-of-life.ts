import type { Ports } from "../ports.ts";

/** A sign of life at least every minute (contract, 3.4); in milliseconds. */
const signOfLifeMs = 30_000;

/** Does something that may take long, and tells the log every half minute what `words` says of it. */
export async function withSignsOfLife<T>(
  { clock, log }: Pick<Ports, "clock" | "log">,
  words: () => string,
  work: () => Promise<T>,
): Promise<T> {
  const stop = clock.every(signOfLifeMs, () => log.info(words()));
  try {
    return await work();
  } finally {
    stop();
  }
}
