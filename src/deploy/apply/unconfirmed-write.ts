import type { Context } from "../../context.ts";
import { ActionError } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { pollUntil } from "../../http/poll.ts";
import { ResponseError } from "../../http/response-error.ts";
import { isTransient, mayHaveTakenEffect } from "../../platform/error-kinds.ts";

/** A write that was sent, and whose response does not say whether it took effect. */
export interface UnconfirmedWrite {
  /** Such as "the creation of agent". */
  readonly what: string;
  /** What it may have left behind, as a sentence. */
  readonly leftover: string;
  /** Why it is unconfirmed. */
  readonly cause: Error;
}

/** A write was sent, and nothing shows whether it took effect. */
export class UnconfirmedWriteError extends ActionError {
  override readonly name = "UnconfirmedWriteError";

  /** `why`: what kept it from being confirmed, as a sentence. */
  constructor({ what, leftover, cause }: UnconfirmedWrite, why = "Nothing new was seen within 60 s.") {
    super(`${cause.message} Could not confirm whether ${what} succeeded. ${why}`, {
      code: "unconfirmed_write",
      hint: `${leftover} Check the platform before you run this again.`,
      cause,
    });
  }
}

/** What came of a write: its response, or that it is unconfirmed. */
export type SentWrite<T> =
  | { readonly response: T; readonly unconfirmed?: undefined }
  | { readonly response?: undefined; readonly unconfirmed: UnconfirmedWrite };

/** Sends a write once. @throws its error if it surely had no effect, and the reason of a cancellation */
export async function sendWrite<T>(
  { what, leftover }: Pick<UnconfirmedWrite, "what" | "leftover">,
  send: () => Promise<T>,
  { cancelled, log }: Context,
): Promise<SentWrite<T>> {
  try {
    return { response: await send() };
  } catch (error) {
    cancelled.throwIfAborted();
    if (!mayHaveTakenEffect(error)) throw error;
    log.warning(`${error.message} Checking whether ${what} succeeded anyway.`);
    return { unconfirmed: { what, leftover, cause: error } };
  }
}

/** Sends a create or update once, and says in events that it was sent. Throws like `sendWrite`. */
export async function sendRevisionWrite<T>(
  write: Pick<UnconfirmedWrite, "what" | "leftover">,
  send: () => Promise<T>,
  context: RunContext,
): Promise<SentWrite<T>> {
  await context.emit({ kind: "write_sent", at: context.clock.now() });
  try {
    return await sendWrite(write, send, context);
  } catch (error) {
    if (!context.cancelled.aborted) await context.emit({ kind: "write_rejected" });
    throw error;
  }
}

/** How long to look for the effect of a write, in milliseconds. */
const confirmationMs = 60_000;
const delayMs = 2000;

/**
 * Polls for what a write made, for a minute; undefined if it was not seen. `unconfirmed`: if the write itself left open
 * whether it took effect.
 *
 * @throws UnconfirmedWriteError if that is open and the platform refuses to show it, else its refusal.
 */
export async function confirmWrite<T>(
  findEffect: () => Promise<T | undefined>,
  unconfirmed: UnconfirmedWrite | undefined,
  context: Context,
): Promise<T | undefined> {
  const policy = {
    deadline: context.clock.now() + confirmationMs,
    delayMs: () => delayMs,
    isTransient,
  };
  try {
    return await pollUntil(findEffect, policy, context);
  } catch (error) {
    if (unconfirmed === undefined || !(error instanceof ResponseError)) throw error;
    throw new UnconfirmedWriteError(unconfirmed, error.message);
  }
}
