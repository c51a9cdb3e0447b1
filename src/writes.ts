import type { Context } from "./context.ts";
import { Failure, toResult } from "./errors.ts";
import { mayHaveTakenEffect } from "./http/request-error.ts";
import { retryIdempotent, type ShouldRetry } from "./http/retry.ts";
import type { Write } from "./report/state.ts";
import { type Message, text } from "./text/message.ts";

/**
 * Sends a request that changes something (docs/specification.md#lost-responses). `send` passes on `shouldRetry` only if a
 * second request would change nothing more. `lostHint`: what to do if it may have taken effect.
 *
 * @throws LostWriteError if an attempt may have taken effect and none is confirmed, even if the last one was refused; and
 *   the error of a refused request
 */
export async function sendWrite<T>(
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
  const { liveRevisionId } = report.state;
  report.startWrite(write);
  const sent = await toResult(() => send(shouldRetry), cancelled);
  // What is not retried, such as an unexpected response, `shouldRetry` has not seen.
  if (sent.error !== undefined && (isUnconfirmed || mayHaveTakenEffect(sent.error)))
    throw new LostWriteError(write, sent.error, lostHint);
  report.endWrite(write, sent.error === undefined);
  if (sent.error === undefined) return sent.value;
  // What was refused has made no revision.
  report.set({ liveRevisionId });
  throw sent.error;
}

/** The response to a write was lost, so the write may have taken effect. */
export class LostWriteError extends Failure {
  override readonly name = "LostWriteError";

  constructor(
    { title }: Write,
    cause: Failure,
    hint = text`Running this job again is safe. ${cause.ending.hint}`,
  ) {
    super(text`${cause.ending.message} Could not confirm whether the ${title} succeeded.`, { hint, cause });
  }
}
