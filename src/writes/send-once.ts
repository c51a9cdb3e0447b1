import { Failure, toResult } from "../errors.ts";
import { mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { type Message, text } from "../text/message.ts";
import type { Write, WriteContext } from "./write.ts";

export interface WriteRequest<T> {
  /** Names the write in messages, such as "the update of agent". */
  readonly what: Message;
  /** What to do if the response is lost; by default, that running the job again is safe. */
  readonly lostHint?: Message | undefined;
  readonly send: () => Promise<T>;
}

/**
 * Sends a request that changes something. If the response is lost, the request may have taken effect: it is not retried, and
 * nobody searches for its effect (docs/specification.md#lost-responses).
 *
 * @throws LostWrite if the response is lost, the error of a refused request, and the reason of a cancellation
 */
export async function sendOnce<T>(
  { report, cancelled }: WriteContext,
  write: Write,
  { what, lostHint, send }: WriteRequest<T>,
): Promise<T> {
  report.sending(write);
  const sent = await toResult(send, cancelled);
  if ("error" in sent && mayHaveTakenEffect(sent.error)) throw new LostWrite(sent.error, what, lostHint);
  report.responded(write, "value" in sent);
  if ("error" in sent) throw sent.error;
  return sent.value;
}

/** The response to a request that changes something was lost, so that it may have taken effect. */
export class LostWrite extends Failure {
  override readonly name = "LostWrite";

  constructor(cause: Failure, what: Message, hint = rerunIsSafe) {
    super(text`${cause.ending.message} Could not confirm whether ${what} succeeded.`, { hint, cause });
  }
}

const rerunIsSafe = text`Running this job again is safe: it reads what is there before it sends anything.`;
