// What users can do after a run whose revision is not live, or not known to be.

import { Failure, rollBackAgainHint } from "../errors.ts";
import type { RevisionOrigin } from "../state/own-revision.ts";
import { joined, type Message, text } from "../text/message.ts";

/** Returns how to repeat a rollback; undefined for an update. Running the job again could roll back further. */
export function hintIfRollback({ isRollback }: RevisionOrigin): Message | undefined {
  return isRollback ? rollBackAgainHint : undefined;
}

/** Returns the hint if this run's revision is not live, and is still needed. */
export function deployAgainHint(origin: RevisionOrigin): Message {
  return hintIfRollback(origin) ?? text`Run this job again to deploy it.`;
}

/** Returns the failure if the platform can't be read after the write. `cause`: that of the last read, if it failed. */
export function unreadableFailure(origin: RevisionOrigin, problem: Message, cause?: Failure): Failure {
  // The read's own hint may be to try again, which would roll back further.
  const next = hintIfRollback(origin) ?? cause?.ending.hint;
  return new Failure(joined([problem, cause?.ending.message]), {
    hint: joined([text`Check the deployment on the platform.`, next]),
    cause,
  });
}
