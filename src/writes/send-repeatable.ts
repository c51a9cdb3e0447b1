import { type Failure, toResult } from "../errors.ts";
import { retryIdempotent, type ShouldRetry } from "../http/retry.ts";
import { mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { type Message, text } from "../text/message.ts";
import { LostWrite } from "./send-once.ts";
import type { Write, WriteContext } from "./write.ts";

/**
 * Sends a request that changes something and may be retried, because twice is the same as once. `what` names it in
 * messages, such as "the deletion of agent".
 *
 * @throws LostWrite if an attempt may have taken effect and none is confirmed, even if the last one was refused
 */
export async function sendRepeatable<T>(
  { report, cancelled }: WriteContext,
  write: Write,
  what: Message,
  send: (shouldRetry: ShouldRetry) => Promise<T>,
): Promise<T> {
  let mayBeDone = false;
  const note = (error: Failure) => {
    mayBeDone ||= mayHaveTakenEffect(error);
    return retryIdempotent(error);
  };
  cancelled.throwIfAborted();
  report.sending(write);
  const sent = await toResult(() => send(note), cancelled);
  report.responded(write, "value" in sent);
  if ("value" in sent) return sent.value;
  // A success that is of no use is not retried, so it was not noted.
  note(sent.error);
  if (!mayBeDone) throw sent.error;
  throw new LostWrite(sent.error, what, text`It is safe to run this step again. ${sent.error.ending.hint}`);
}
