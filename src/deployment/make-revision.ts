import { ActionError } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { mayHaveTakenEffect } from "../platform/failures.ts";
import type { LiveRevision } from "./attribution.ts";
import type { UnconfirmedWrite } from "./errors.ts";
import { findRevision, type RevisionSearch } from "./find-revision.ts";
import type { WriteTools } from "./write.ts";
import type { AppliedRevision } from "./written.ts";

/** A write that makes a revision of a deployment that is there. */
export interface RevisionWrite extends Pick<RevisionSearch, "deployment" | "before" | "source"> {
  /** Such as "the update of 12". */
  readonly what: string;
  readonly send: () => Promise<Deployment | undefined>;
  readonly liveBefore: LiveRevision | undefined;
}

/**
 * Sends it, once, and tells exactly which revision came of it (contract, 3.1).
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError where none can be called this run's, and the errors of `send`.
 */
export async function makeRevision(
  write: RevisionWrite,
  tools: Pick<WriteTools, "plane" | "progress" | "context">,
): Promise<AppliedRevision> {
  const { deployment, source, what, liveBefore } = write;
  const { progress, context } = tools;
  const writtenAt = progress.writing();
  const before = { ...write.before, writtenAt };
  let doubt: UnconfirmedWrite | undefined;
  let answered: Deployment | undefined;
  try {
    answered = await write.send();
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    if (!mayHaveTakenEffect(error)) {
      progress.notWritten();
      throw error;
    }
    context.log.warning(`${error.message} Looking whether ${what} took effect all the same.`);
    doubt = { what, left: `A revision of ${deployment.id} may still appear.`, cause: error };
  }
  if (answered) progress.deployment(answered, false);
  const search = { deployment, candidate: answered?.latestRevisionId, before, source, doubt };
  const revisionId = await findRevision(search, tools);
  return { deploymentId: deployment.id, revisionId, writtenAt, before, liveBefore };
}
