import { AnswerError } from "../api/errors.ts";
import { lookUntil } from "../control-plane/look.ts";
import type { Ports } from "../ports.ts";
import { AmbiguousWriteError, type DoubtfulWrite } from "./errors.ts";

/** How long a write's effect is looked for, in milliseconds (contract, 3.1). */
const searchMs = 60_000;

/**
 * Looks for what a write made until it is seen, for up to a minute; undefined where it wasn't. `doubt`: where the
 * write itself left it open whether it took effect.
 *
 * @throws AmbiguousWriteError where there is a doubt and looking is refused, else the refusal.
 */
export async function lookForEffect<T>(
  look: () => Promise<T | undefined>,
  doubt: DoubtfulWrite | undefined,
  ports: Ports,
): Promise<T | undefined> {
  try {
    return await lookUntil(look, ports.clock.now() + searchMs, ports);
  } catch (error) {
    if (doubt === undefined || !(error instanceof AnswerError)) throw error;
    throw new AmbiguousWriteError(doubt, error.message);
  }
}
