import type { Context } from "./context.ts";
import { Failure, toResult } from "./errors.ts";
import { mayHaveTakenEffect } from "./http/error-kinds.ts";
import { retryIdempotent, type ShouldRetry } from "./http/retry.ts";
import type { Write } from "./report/state.ts";
import { type Message, text } from "./text/message.ts";

/**
 * Sends a request that must not be repeated. It is not retried if its response is lost, because it may have taken effect
 * (docs/specification.md#lost-responses).
 *
 * @throws LostWriteError if the response is lost, the error of a refused request, and the reason of a cancellation
 */
export async function sendOnce<T>(
  context: Context,
  write: Write,
  send: () => Promise<T>,
  lostHint = rerunHint,
): Promise<T> {
  // `send` repeats only what surely had no effect, so the last error decides, and `shouldRetry` stays unused.
  return await sendRepeatable(context, write, send, lostHint);
}

/**
 * Sends a request that may be retried, because a second one changes nothing more.
 *
 * @throws LostWriteError if an attempt may have taken effect and none is confirmed, even if the last one was refused
 */
export async function sendRepeatable<T>(
  { report, cancelled }: Context,
  write: Write,
  send: (shouldRetry: ShouldRetry) => Promise<T>,
  lostHint?: Message,
): Promise<T> {
  let isUnconfirmed = false;
  const shouldRetry = (error: Failure) => {
    isUnconfirmed ||= mayHaveTakenEffect(error);
    return retryIdempotent(error);
  };
  cancelled.throwIfAborted();
  report.startWrite(write);
  const sent = await toResult(() => send(shouldRetry), cancelled);
  // An unexpected response is not retried, so `shouldRetry` has not seen it.
  if (sent.error !== undefined && (isUnconfirmed || mayHaveTakenEffect(sent.error)))
    throw new LostWriteError(write, sent.error, lostHint ?? repeatHint(sent.error));
  report.endWrite(write, sent.error === undefined);
  if (sent.error !== undefined) throw sent.error;
  return sent.value;
}

const repeatHint = ({ ending }: Failure) => text`It is safe to run this step again. ${ending.hint}`;

/** The response to a write was lost, so the write may have taken effect. */
export class LostWriteError extends Failure {
  override readonly name = "LostWriteError";

  constructor({ title }: Write, cause: Failure, hint: Message) {
    super(text`${cause.ending.message} Could not confirm whether the ${title} succeeded.`, { hint, cause });
  }
}

const rerunHint = text`Running this job again is safe: it reads what is there before it sends anything.`;
