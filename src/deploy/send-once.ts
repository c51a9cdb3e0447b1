import { Failure, toResult } from "../errors.ts";
import { mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { type Message, text } from "../text/message.ts";
import type { PlatformJob } from "./job.ts";

/** A request that changes something on the platform. */
interface Change<T> {
  /** What it is, such as "the update of agent". */
  readonly what: Message;
  /** What it may leave behind if the run is stopped or the response is lost, as a sentence. */
  readonly remains: Message;
  /** What to do if the response is lost; by default, that running the job again is safe. */
  readonly lostHint?: Message | undefined;
  readonly send: () => Promise<T>;
}

/**
 * Sends a request that changes something. If the response is lost, it may have taken effect: it is neither repeated nor
 * searched for (docs/specification.md#lost-responses).
 *
 * @throws LostWrite then, the error of a refused request, and the reason of a cancellation
 */
export async function sendOnce<T>(
  { report, clock, cancelled }: PlatformJob,
  { what, remains, lostHint, send }: Change<T>,
): Promise<T> {
  const { sentAt, hasSent } = report.state;
  // Of a rollback, the run's time counts from the run's own write.
  report.set({ hasSent: true, sentAt: sentAt ?? clock.now() });
  const sent = await toResult(() => report.leaving(remains, send), cancelled);
  if ("value" in sent) return sent.value;
  const { error } = sent;
  if (mayHaveTakenEffect(error)) throw new LostWrite(error, what, remains, lostHint);
  report.set({ sentAt, hasSent });
  throw error;
}

/** The response to a request that changes something was lost, so that it may have taken effect. */
export class LostWrite extends Failure {
  override readonly name = "LostWrite";
  readonly reason: Message;
  readonly remains: Message;

  constructor(cause: Failure, what: Message, remains: Message, hint = rerunIsSafe) {
    super(text`${cause.ending.message} Could not confirm whether ${what} succeeded. ${remains}`, {
      hint,
      cause,
    });
    this.reason = cause.ending.message;
    this.remains = remains;
  }
}

const rerunIsSafe = text`Running this job again is safe: it reads what is there before it sends anything.`;
