import { neverCancelled, toResult } from "../../errors.ts";
import { isBeingDeleted, isSameId } from "../../platform/deployment.ts";
import { id, type Message, text } from "../../text/message.ts";
import { type DeploymentHistory, indexIn, readHistory } from "../find/history.ts";
import type { PlatformJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";

/** Which revision is live, seen from this run's. `id`: undefined if none is shown any more. */
export type LiveState =
  | { readonly kind: "ours"; readonly id: string }
  | { readonly kind: "being_deleted"; readonly id?: undefined }
  | { readonly kind: "newer"; readonly id: string }
  | { readonly kind: "older"; readonly id: string | undefined };

/** Reads which revision is live. @throws RequestError */
export async function readLive(
  job: PlatformJob,
  ours: RunRevision,
): Promise<DeploymentHistory & { readonly state: LiveState }> {
  const history = await readHistory(job, ours.deploymentId);
  return { ...history, state: liveState(ours, history) };
}

function liveState(ours: RunRevision, { deployment, listed, liveId }: DeploymentHistory): LiveState {
  if (isBeingDeleted(deployment)) return { kind: "being_deleted" };
  const isLive = { kind: "ours", id: ours.revisionId } as const;
  if (liveId === undefined) {
    const wasLive = deployment.showsLive || ours.before.liveId !== undefined;
    return wasLive ? { kind: "older", id: liveId } : isLive;
  }
  if (isSameId(liveId, ours.revisionId)) return isLive;
  // As long as this run's revision is not listed, every new one counts as newer.
  const isNewer =
    !ours.before.ids.has(liveId.toLowerCase()) && indexIn(liveId, listed) < indexIn(ours.revisionId, listed);
  return { kind: isNewer ? "newer" : "older", id: liveId };
}

/** Which revision is live after this run's ended without being live, as a sentence; undefined after a cancellation. */
export async function describeLive(job: PlatformJob, ours: RunRevision): Promise<Message | undefined> {
  const read = await toResult(() => readHistory(job, ours.deploymentId), neverCancelled);
  // The revision has failed, which counts even if the run is cancelled now.
  if ("error" in read && job.cancelled.aborted) return undefined;
  if ("error" in read) return text`Could not read which revision is live now: ${read.error.ending.message}`;
  const { liveId } = read.value;
  job.report.set({ liveRevisionId: liveId });
  if (liveId === undefined) return text`No revision is live.`;
  const { liveId: before } = ours.before;
  const stays = before !== undefined && isSameId(liveId, before) ? text`stays live` : text`is live`;
  return text`Revision ${id(liveId)} ${stays}.`;
}
