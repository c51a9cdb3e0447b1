import type { PlatformContext } from "../../context.ts";
import { Failure, type Result } from "../../errors.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { isSameId } from "../../platform/ids.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { code, idText, inputName, type Message, phrase, text } from "../../text/message.ts";
import { hintIfRollback } from "../after-failure.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { findSecondCandidateFailure, relationTo, requireOwn } from "../own-revision-rules.ts";
import { findById, readSnapshot, type Snapshot } from "../snapshot.ts";

/** This run's revision is `DEPLOYED`, but another one or none is live. The platform may still switch to it. */
export class NotLiveError extends Failure {
  override readonly name = "NotLiveError";
}

/**
 * Reads the deployment and its revisions. Undefined if this run's revision is not certain and not listed yet: a second new one
 * would not be listed either.
 *
 * @throws Failure if they show that this run's revision is another one or was superseded, that another one may be this run's
 *   too, or that the deployment is being deleted; RequestError if they can't be read
 */
export async function readAndRequireOwn(
  context: RevisionContext,
  ownRevision: OwnRevision,
): Promise<Snapshot | undefined> {
  const snapshot = await readSnapshot(context, ownRevision.deploymentId);
  if (isBeingDeleted(snapshot.deployment)) throw beingDeletedFailure(ownRevision);
  const failure =
    findNewerLiveFailure(ownRevision, snapshot) ?? findSecondCandidateFailure(ownRevision, snapshot);
  if (failure !== undefined) throw failure;
  const listed = findById(snapshot.listed, ownRevision.revisionId);
  if (listed !== undefined) requireOwn(context, ownRevision, listed);
  return ownRevision.isCertain || listed !== undefined ? snapshot : undefined;
}

/**
 * Returns the deployment and its revisions if this run's `DEPLOYED` revision is live (docs/specification.md#live); undefined
 * as long as the list does not confirm it. `wasLive`: whether it was seen live before.
 *
 * @throws Failure if it was live before and another one or none is live now; NotLiveError if it never was; and what
 *   `readAndRequireOwn` throws
 */
export async function readIfLive(
  context: RevisionContext,
  ownRevision: OwnRevision,
  wasLive: boolean,
): Promise<Snapshot | undefined> {
  const { revisionId, before } = ownRevision;
  const snapshot = await readAndRequireOwn(context, ownRevision);
  if (snapshot === undefined) return undefined;
  const { deployment, listed, liveId } = snapshot;
  // A platform that never shows which revision is live has only the list, in which this one may not be DEPLOYED yet. If another
  // one was live before, it may still be.
  const cannotShowLive = liveId === undefined && !deployment.hasShownLive && before.liveId === undefined;
  if (cannotShowLive || isSameId(liveId, revisionId)) {
    const kind = findById(listed, revisionId)?.status.kind ?? "deployed";
    if (kind !== "deployed") return undefined;
    context.report.set({ liveRevisionId: revisionId });
    return snapshot;
  }
  const revision = idText(revisionId);
  const instead =
    liveId === undefined ? phrase`no revision is live` : phrase`revision ${idText(liveId)} is live`;
  if (wasLive)
    throw new Failure(text`Revision ${revision} was live before its checks, but now ${instead}.`, {
      hint: text`Find out on the platform what changed it. ${concurrencyHint}`,
    });
  throw new NotLiveError(text`Revision ${revision} is ${code("DEPLOYED")}, but ${instead}.`, {
    hint: text`Check the deployment on the platform. Raise ${inputName("timeout_seconds")} if it switches slowly. ${hintIfRollback(ownRevision)}`,
  });
}

/** Returns the failure if a newer revision is live; undefined if not. */
export function findNewerLiveFailure(ownRevision: OwnRevision, snapshot: Snapshot): Failure | undefined {
  const { liveId } = snapshot;
  if (liveId === undefined || relationTo(ownRevision, snapshot, liveId) !== "newer") return undefined;
  return new Failure(
    text`Revision ${idText(ownRevision.revisionId)} was superseded: the newer revision ${idText(liveId)} is live.`,
    { outcome: "superseded", hint: supersededHint },
  );
}

const concurrencyHint = text`To keep runs from overtaking each other, use a concurrency group in the workflow.`;
export const supersededHint = text`If the newer revision is the one you want, there is nothing to do. ${concurrencyHint}`;

function beingDeletedFailure({ revisionId, deploymentId }: OwnRevision): Failure {
  return new Failure(
    text`Revision ${idText(revisionId)} was made, but deployment ${code(deploymentId)} is being deleted.`,
    {
      hint: text`Find out who is deleting the deployment. Once it is deleted, deploy again to create a new one.`,
    },
  );
}

/** How long the reads at the end of a run that failed are retried. */
const maxLastReadMs = 30_000;

/** Reads what is live now, for the words of a failure. A cancellation must not replace that, and counts as a failed read. */
export async function tryReadLive(
  context: PlatformContext,
  { deploymentId }: OwnRevision,
): Promise<Result<Snapshot>> {
  const limited = { ...context, controlPlane: context.controlPlane.withLimits({ retryMs: maxLastReadMs }) };
  try {
    return { value: await readSnapshot(limited, deploymentId) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { error };
  }
}

/** Returns a sentence that says which revision is live, after this run's ended without being live. */
export function describeLive(read: Result<Snapshot>): Message {
  if (read.error !== undefined)
    return text`Could not read which revision is live now: ${read.error.ending.message}`;
  const { liveId } = read.value;
  return liveId === undefined ? text`No revision is live.` : text`Revision ${idText(liveId)} is live.`;
}
