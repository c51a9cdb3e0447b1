import { Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { ResponseError } from "../../http/response-error.ts";
import { mayHaveTakenEffect, mayKeepPolling } from "../../platform/error-kinds.ts";
import { type Message, text } from "../../text/message.ts";
import type { PlatformJob } from "../job.ts";

/** How long to look for the effect of a request, in milliseconds. */
export const confirmationMs = 60_000;

/** A request that changes something on the platform. */
export interface Write<T> {
  /** Such as "the creation of agent". */
  readonly what: Message;
  /** What the request may leave behind, as a sentence. */
  readonly remains: Message;
  /** When a create or update is sent, from which the run's time counts; in milliseconds since the epoch. */
  readonly requestedAt?: number;
  readonly send: () => Promise<T>;
  /** Whether an error shows that the request had no effect, besides those that always do. */
  readonly isRefusal?: (error: unknown) => boolean;
}

/** A request that was sent, and whose response does not say whether it took effect. */
export interface UnconfirmedWrite extends Pick<Write<unknown>, "what" | "remains"> {
  /** Why it is unconfirmed. */
  readonly cause: Failure;
}

/** A request was sent, and nothing shows whether it took effect. */
export class UnconfirmedWriteError extends Failure {
  override readonly name = "UnconfirmedWriteError";

  /** `why`: what kept the request from being confirmed, as a sentence. */
  constructor(
    { what, remains, cause }: UnconfirmedWrite,
    why = text`Nothing new was seen within ${confirmationMs / 1000} s.`,
  ) {
    super(text`${cause.ending.message} Could not confirm whether ${what} succeeded. ${why}`, {
      hint: text`${remains} Check the platform before you run this again.`,
      cause,
      explainsWrite: true,
    });
  }
}

/** What came of a request: its response, or that it is unconfirmed. */
export type SentWrite<T> =
  | { readonly response: T; readonly unconfirmed?: undefined }
  | { readonly response?: undefined; readonly unconfirmed: UnconfirmedWrite };

/** Sends a request once. @throws its error if it surely had no effect, and the reason of a cancellation */
export async function sendWrite<T>(
  { cancelled, report }: PlatformJob,
  { what, remains, requestedAt, send, isRefusal }: Write<T>,
): Promise<SentWrite<T>> {
  if (requestedAt !== undefined) report.requestSent(requestedAt);
  try {
    return { response: await send() };
  } catch (error) {
    cancelled.throwIfAborted();
    if (!mayHaveTakenEffect(error) || isRefusal?.(error)) {
      if (requestedAt !== undefined) report.requestRejected();
      throw error;
    }
    report.warning(text`${error.ending.message} Checking whether ${what} succeeded anyway.`);
    return { unconfirmed: { what, remains, cause: error } };
  }
}

const delayMs = 2000;

/**
 * Polls for what a request made, for a minute; undefined if it was not seen. `unconfirmed`: if the response left open
 * whether the request took effect.
 *
 * @throws UnconfirmedWriteError if that is open and the platform refuses to show it, else its refusal.
 */
export async function pollForEffect<T>(
  job: PlatformJob,
  findEffect: () => Promise<T | undefined>,
  unconfirmed: UnconfirmedWrite | undefined,
): Promise<T | undefined> {
  const policy = { deadline: job.clock.now() + confirmationMs, delayMs, mayKeepPolling };
  try {
    return await pollUntil(findEffect, policy, job);
  } catch (error) {
    if (unconfirmed === undefined || !(error instanceof ResponseError)) throw error;
    throw new UnconfirmedWriteError(unconfirmed, error.ending.message);
  }
}
