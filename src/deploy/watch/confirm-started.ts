import { Failure, type SuccessEnding, toResult, undefinedIf } from "../../errors.ts";
import { isNotFound, RequestError } from "../../http/request-error.ts";
import { isBeingDeleted, type Revision } from "../../platform/deployment.ts";
import { isSameId } from "../../platform/ids.ts";
import { code, idText, text } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { pollForCandidates } from "../make/identify-revision.ts";
import { deployAgainHint, type OwnRevision, requireOwn, unreadableFailure } from "../own-revision.ts";
import { findById, readAndReport } from "../snapshot.ts";
import { beingDeletedFailure, findOtherRevisionFailure } from "./live.ts";
import { explainEnd } from "./revision-ends.ts";

/**
 * Returns the ending of a run with `wait: false`, right after the write.
 *
 * @throws Failure if the revision is not this run's or failed, or if that can't be read
 */
export async function confirmStarted(
  context: RevisionContext,
  ownRevision: OwnRevision,
): Promise<SuccessEnding> {
  const revision = idText(ownRevision.revisionId);
  const confirmed = await toResult(() => readAndRequireStarted(context, ownRevision), context.cancelled);
  if (confirmed.error !== undefined) {
    const { error } = confirmed;
    const problem = text`Could not confirm that revision ${revision} was started.`;
    throw error instanceof RequestError ? unreadableFailure(ownRevision, problem, error) : error;
  }
  return {
    outcome: "started",
    message: text`Revision ${revision} was started. This run does not wait for it (${code("wait: false")}).`,
  };
}

async function readAndRequireStarted(context: RevisionContext, ownRevision: OwnRevision): Promise<void> {
  const { controlPlane, revisionReport } = context;
  const { deploymentId, revisionId, isCertain } = ownRevision;
  // The revision may not be visible yet.
  const revision = await undefinedIf(() => controlPlane.getRevision(deploymentId, revisionId), isNotFound);
  if (revision !== undefined) {
    revisionReport.addPoll(revision);
    await requireStarted(context, ownRevision, revision);
  }
  if (!isCertain) {
    // A list without this revision is too old to show whether there is a second one.
    const accepts = (listed: Revision) => isSameId(listed.id, revisionId);
    const polled = await pollForCandidates(context, ownRevision, { accepts });
    if (polled.value === undefined) throw polled.lastFailure ?? notListedFailure(ownRevision);
    const snapshot = await readAndReport(context, deploymentId);
    if (isBeingDeleted(snapshot.deployment)) throw beingDeletedFailure(ownRevision);
    const failure = findOtherRevisionFailure(ownRevision, snapshot);
    if (failure !== undefined) throw failure;
    const listed = findById(snapshot.listed, revisionId);
    if (listed !== undefined) await requireStarted(context, ownRevision, listed);
  }
}

function notListedFailure(ownRevision: OwnRevision): Failure {
  return new Failure(
    text`Could not confirm that revision ${idText(ownRevision.revisionId)} was started: the list of revisions does not show it as a new one.`,
    { hint: text`Check the deployment's revisions on the platform. ${deployAgainHint(ownRevision)}` },
  );
}

/** @throws Failure if a revision is not this run's or has ended without being deployed */
async function requireStarted(
  context: RevisionContext,
  ownRevision: OwnRevision,
  revision: Revision,
): Promise<void> {
  requireOwn(context, ownRevision, revision);
  const { kind } = revision.status;
  if (kind === "pending" || kind === "deployed") return;
  throw await explainEnd(context, ownRevision, revision);
}
