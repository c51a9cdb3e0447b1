import { Failure, rollBackAgain } from "../../errors.ts";
import type { RevisionContent } from "../../platform/deployment.ts";
import { joined, type Message, text } from "../../text/message.ts";
import type { History } from "../find/history.ts";

export interface SentRevision {
  readonly deploymentId: string;
  /** The source that the revision deploys, as far as this run sends it. */
  readonly content: RevisionContent;
  /** The revisions before it was sent. None of them is this run's. */
  readonly before: History;
  /** When the run's time to wait began: at the write's response or, for an earlier attempt's revision, when it was found. */
  readonly startedAt: number;
  readonly isRollback?: boolean;
}

/** The revision that this run made or found. */
export interface OwnRevision extends SentRevision {
  readonly revisionId: string;
  /** Whether it surely is this run's. The response to a PATCH, for example, may name a revision that another run made. */
  readonly isCertain: boolean;
}

/** Returns how to repeat a rollback; undefined for an update. Running the job again could roll back further. */
export function rollbackHint({ isRollback }: SentRevision): Message | undefined {
  return isRollback ? rollBackAgain : undefined;
}

/** A 404 within this time after the write means that the revision or its log is not visible yet. */
export const visibilityMs = 60_000;

/** Returns the failure if the platform can't be read after the write. `cause`: the failure of the last read. */
export function unreadableFailure(sent: SentRevision, problem: Message, cause: Failure | undefined): Failure {
  // The read's own hint may be to try again, which would roll back further.
  const next = rollbackHint(sent) ?? cause?.ending.hint;
  return new Failure(joined([problem, cause?.ending.message]), {
    hint: joined([text`Check the deployment on the platform.`, next]),
    cause,
  });
}

/** Returns the hint if this run's revision is not live, and is still needed. */
export function deployAgainHint(sent: SentRevision): Message {
  return rollbackHint(sent) ?? text`Run this job again to deploy it.`;
}
