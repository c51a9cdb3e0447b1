import type { Context } from "./context.ts";
import { Failure, rollBackAgainHint, toResult } from "./errors.ts";
import { mayHaveTakenEffect } from "./http/request-error.ts";
import { retryIdempotent, type ShouldRetry } from "./http/retry.ts";
import { makesRevision, type Write } from "./state/write.ts";
import { text } from "./text/message.ts";

/**
 * Sends a request that changes something (docs/specification.md#lost-responses). `send` passes on `shouldRetry` only if a
 * second request would change nothing more.
 *
 * @throws LostWriteError if an attempt may have taken effect and none is confirmed, even if the last one was refused; and
 *   the error of a refused request
 */
export async function sendWrite<T>(
  context: Context,
  write: Write,
  send: (shouldRetry: ShouldRetry) => Promise<T>,
): Promise<T> {
  let isUnconfirmed = false;
  const shouldRetry = (error: Failure) => {
    isUnconfirmed ||= mayHaveTakenEffect(error);
    return retryIdempotent(error);
  };
  const { report, cancelled } = context;
  cancelled.throwIfAborted();
  const { writes, liveRevisionId } = report.state;
  report.set({ writes: [...writes, { write, isConfirmed: false }] });
  // From now on, the platform may switch to a new revision.
  if (makesRevision(write)) report.set({ liveRevisionId: undefined });
  const sent = await toResult(() => send(shouldRetry));
  if (sent.error === undefined) {
    confirmWrite(context, write);
    return sent.value;
  }
  // `shouldRetry` was not asked about every error: not about an unexpected response, for example.
  if (isUnconfirmed || mayHaveTakenEffect(sent.error)) throw new LostWriteError(write, sent.error);
  const withoutRefused = report.state.writes.filter((one) => one.write !== write);
  report.set({ writes: withoutRefused, liveRevisionId });
  throw sent.error;
}

/** Reports that a write took effect. */
export function confirmWrite({ report }: Context, write: Write): void {
  const confirmed = { write, isConfirmed: true };
  report.set({ writes: report.state.writes.map((sent) => (sent.write === write ? confirmed : sent)) });
}

/** The response to a write was lost, so the write may have taken effect. */
export class LostWriteError extends Failure {
  override readonly name = "LostWriteError";

  constructor({ kind, title }: Write, cause: Failure) {
    const hint =
      kind === "rollback"
        ? text`Check on the platform which revision is live. ${rollBackAgainHint}`
        : text`Running this job again is safe. ${cause.ending.hint}`;
    super(text`${cause.ending.message} Could not confirm whether the ${title} succeeded.`, { hint, cause });
  }
}
