import { type Deployment, isBeingDeleted, isSameId, type Revision } from "../platform/deployment.ts";
import type { PlatformJob } from "./job.ts";
import { liveId, type RunRevision } from "./run-revision.ts";

/** A deployment whose live revision is this run's. */
export interface LiveDeployment {
  readonly deployment: Deployment;
  readonly revision: Revision;
}

/** Which revision is live, seen from this run's, which is `DEPLOYED`. `id`: undefined if none is shown any more. */
export type LiveState =
  | { readonly kind: "ours" }
  | { readonly kind: "being_deleted" }
  | { readonly kind: "newer"; readonly id: string }
  | { readonly kind: "older"; readonly id: string | undefined };

/** Reads which revision is live. @throws the errors of the reads */
export async function readLive(
  { controlPlane, report }: PlatformJob,
  run: RunRevision,
): Promise<{
  readonly deployment: Deployment;
  readonly state: LiveState;
  readonly listed: readonly Revision[];
}> {
  const once = controlPlane.withoutRetry();
  const deployment = await once.getDeployment(run.deploymentId);
  report.deployment(deployment);
  const { listed } = await once.listRevisions(run.deploymentId);
  return { deployment, state: liveState(run, deployment, listed), listed };
}

/** `listed`: the revisions, newest first, as read after the deployment. */
export function liveState(run: RunRevision, deployment: Deployment, listed: readonly Revision[]): LiveState {
  if (isBeingDeleted(deployment)) return { kind: "being_deleted" };
  if (typeof deployment.activeRevisionId === "string") run.showsLive = true;
  const id = liveId(deployment, listed, run.showsLive);
  if (id === undefined) return run.showsLive ? { kind: "older", id } : { kind: "ours" };
  if (isSameId(id, run.revisionId)) return { kind: "ours" };
  if (placeOf(id, listed) < placeOf(run.revisionId, listed)) return { kind: "newer", id };
  // The list of a platform that shows no live revision may lag behind the revision's own status.
  return run.showsLive ? { kind: "older", id } : { kind: "ours" };
}

/** The place in the list, the newest being 0; behind all of them if it is not listed. */
export function placeOf(id: string, listed: readonly Revision[]): number {
  const place = listed.findIndex((revision) => isSameId(revision.id, id));
  return place < 0 ? listed.length : place;
}
