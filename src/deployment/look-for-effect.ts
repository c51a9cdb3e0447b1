import type { Context } from "../context.ts";
import { ResponseError } from "../http/response-error.ts";
import { lookUntil } from "../platform/look.ts";
import { type UnconfirmedWrite, UnconfirmedWriteError } from "./errors.ts";

/** How long a write's effect is looked for, in milliseconds (contract, 3.1). */
const searchMs = 60_000;

/**
 * Looks for what a write made until it is seen, for up to a minute; undefined where it wasn't. `doubt`: where the
 * write itself left it open whether it took effect.
 *
 * @throws UnconfirmedWriteError where there is a doubt and looking is refused, else the refusal.
 */
export async function confirmWrite<T>(
  look: () => Promise<T | undefined>,
  doubt: UnconfirmedWrite | undefined,
  context: Context,
): Promise<T | undefined> {
  try {
    return await lookUntil(look, context.clock.now() + searchMs, context);
  } catch (error) {
    if (doubt === undefined || !(error instanceof ResponseError)) throw error;
    throw new UnconfirmedWriteError(doubt, error.message);
  }
}
