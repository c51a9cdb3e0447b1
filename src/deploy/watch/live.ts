import { Failure, toResult } from "../../errors.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { isSameId } from "../../platform/ids.ts";
import type { PlatformContext } from "../../platform-context.ts";
import { code, idText, inputName, type Message, phrase, text } from "../../text/message.ts";
import { findSecondCandidateFailure, type OwnRevision, relationTo } from "../own-revision.ts";
import { readAndReport, type Snapshot } from "../snapshot.ts";

/** This run's revision is `DEPLOYED`, but another one or none is live. If it was never live, the platform may still switch. */
export class NotLiveError extends Failure {
  override readonly name: string = "NotLiveError";
}

/**
 * Returns the deployment and its revisions if this run's `DEPLOYED` revision is live (docs/specification.md#live). `wasLive`:
 * whether it was seen live before.
 *
 * @throws NotLiveError if another one or none is live, Failure if it will not be live, RequestError if that can't be read
 */
export async function requireLive(
  context: PlatformContext,
  ownRevision: OwnRevision,
  wasLive: boolean,
): Promise<Snapshot> {
  const { revisionId, before } = ownRevision;
  const snapshot = await readAndReport(context, ownRevision.deploymentId);
  const { deployment, liveId } = snapshot;
  // With none live before, there is no switch to wait for, and some platforms never show which revision is live.
  const countsAsLive = liveId === undefined && !deployment.hasShownLive && before.liveId === undefined;
  if (isBeingDeleted(deployment)) throw beingDeletedFailure(ownRevision);
  const failure = findOtherRevisionFailure(ownRevision, snapshot);
  if (failure !== undefined) throw failure;
  if (countsAsLive || isSameId(liveId, revisionId)) return snapshot;
  const but = wasLive
    ? phrase`Revision ${idText(revisionId)} was live before its checks, but now`
    : phrase`Revision ${idText(revisionId)} is ${code("DEPLOYED")}, but`;
  const instead =
    liveId === undefined ? phrase`no revision is live` : phrase`revision ${idText(liveId)} is live`;
  throw new NotLiveError(text`${but} ${instead}.`, {
    hint: text`Check the deployment on the platform. ${wasLive ? undefined : ifSlowHint}`,
  });
}

const ifSlowHint = text`Raise ${inputName("timeout_seconds")} if it switches slowly.`;

/** Returns the failure if a newer revision is live, or if another one may be this run's too; undefined otherwise. */
export function findOtherRevisionFailure(ownRevision: OwnRevision, snapshot: Snapshot): Failure | undefined {
  return findNewerLiveFailure(ownRevision, snapshot) ?? findSecondCandidateFailure(ownRevision, snapshot);
}

function findNewerLiveFailure(ownRevision: OwnRevision, snapshot: Snapshot): Failure | undefined {
  const { liveId } = snapshot;
  if (liveId === undefined || relationTo(ownRevision, snapshot, liveId) !== "newer") return undefined;
  return new Failure(
    text`Revision ${idText(ownRevision.revisionId)} was superseded: the newer revision ${idText(liveId)} is live.`,
    { outcome: "superseded", hint: supersededHint },
  );
}

export const supersededHint = text`If the newer revision is the one you want, there is nothing to do. To keep runs from overtaking each other, use a concurrency group in the workflow.`;

export function beingDeletedFailure({ revisionId, deploymentId }: OwnRevision): Failure {
  return new Failure(
    text`Revision ${idText(revisionId)} was made, but deployment ${code(deploymentId)} is being deleted.`,
    {
      hint: text`Find out who is deleting the deployment. Once it is deleted, deploy again to create a new one.`,
    },
  );
}

/**
 * Returns the failure if a newer revision is live; undefined if not, or if that can't be read.
 */
export async function readNewerLiveFailure(
  context: PlatformContext,
  ownRevision: OwnRevision,
): Promise<Failure | undefined> {
  const read = await toResult(() => readAndReport(context, ownRevision.deploymentId), context.cancelled);
  return read.error === undefined ? findNewerLiveFailure(ownRevision, read.value) : undefined;
}

/** Returns a sentence that says which revision is live, after this run's ended without being live. */
export async function describeLive(
  context: PlatformContext,
  { deploymentId }: OwnRevision,
): Promise<Message> {
  // A cancellation must not replace the failure that this sentence is added to.
  const read = await toResult(() => readAndReport(context, deploymentId), undefined);
  if (read.error !== undefined)
    return text`Could not read which revision is live now: ${read.error.ending.message}`;
  const { liveId } = read.value;
  return liveId === undefined ? text`No revision is live.` : text`Revision ${idText(liveId)} is live.`;
}
