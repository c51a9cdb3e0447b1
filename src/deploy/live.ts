import { type Deployment, isBeingDeleted, isSameId, type Revision } from "../platform/deployment.ts";
import { type DeploymentHistory, readHistory } from "./history.ts";
import type { PlatformJob } from "./job.ts";
import type { RunRevision } from "./run-revision.ts";

/** A deployment whose live revision is this run's. */
export interface LiveDeployment {
  readonly deployment: Deployment;
  readonly revision: Revision;
}

/** Which revision is live, seen from this run's. `id`: undefined if none is shown any more. */
export type LiveState =
  | { readonly kind: "ours"; readonly id: string }
  | { readonly kind: "being_deleted"; readonly id?: undefined }
  | { readonly kind: "newer"; readonly id: string }
  | { readonly kind: "older"; readonly id: string | undefined };

/** Reads which revision is live. @throws the errors of the reads */
export async function readLive(
  job: PlatformJob,
  run: RunRevision,
): Promise<DeploymentHistory & { readonly state: LiveState }> {
  const history = await readHistory(job, run.deploymentId);
  return { ...history, state: liveState(run, history) };
}

function liveState(run: RunRevision, { deployment, listed, liveId: id }: DeploymentHistory): LiveState {
  if (isBeingDeleted(deployment)) return { kind: "being_deleted" };
  const ours = { kind: "ours", id: run.revisionId } as const;
  if (id === undefined) {
    const wasLive = deployment.showsLive || run.before.liveId !== undefined;
    return wasLive ? { kind: "older", id } : ours;
  }
  if (isSameId(id, run.revisionId)) return ours;
  // The list may not show this run's revision yet.
  const isNewer =
    !run.before.ids.has(id.toLowerCase()) && placeOf(id, listed) < placeOf(run.revisionId, listed);
  return { kind: isNewer ? "newer" : "older", id };
}

/** The place in the list, the newest being 0; behind all of them if it is not listed. */
export function placeOf(id: string, listed: readonly Revision[]): number {
  const place = listed.findIndex((revision) => isSameId(revision.id, id));
  return place < 0 ? listed.length : place;
}
