import { type Deployment, isSameId, type Revision } from "../../platform/deployment.ts";
import type { PlatformJob } from "../job.ts";

/** A deployment and its revisions, as they were just read. */
export interface DeploymentHistory {
  readonly deployment: Deployment;
  /** Newest first. */
  readonly listed: readonly Revision[];
  /** The id of the revision that is live; undefined if none is. */
  readonly liveId: string | undefined;
  /** When they were read, by the platform's own clock; milliseconds since the epoch, NaN if it reports none. */
  readonly readAt: number;
}

/** A deployment whose live revision is this run's. */
export interface LiveRevision {
  readonly deployment: Deployment;
  readonly revision: Revision;
}

/** Reads a deployment and then its revisions, in this order, so that the list holds each one that the deployment names. */
export async function readHistory(
  { controlPlane, report }: PlatformJob,
  deploymentId: string,
): Promise<DeploymentHistory> {
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.foundDeployment(deployment);
  const listed = await controlPlane.listRevisions(deploymentId);
  return { deployment, listed, liveId: findLiveId(deployment, listed), readAt: controlPlane.respondedAt };
}

/**
 * The id of the live revision: the one that the deployment shows, or, if the platform never showed one for it, the newest
 * one that is `DEPLOYED`. `listed`: newest first.
 */
export function findLiveId(
  { activeRevisionId, showsLive }: Pick<Deployment, "activeRevisionId" | "showsLive">,
  listed: readonly Revision[],
): string | undefined {
  if (showsLive) return activeRevisionId ?? undefined;
  return listed.find(({ status }) => status.kind === "deployed")?.id;
}

/** The index of a revision in the list, newest first; the length of the list if it is not listed. */
export function indexIn(id: string, listed: readonly Revision[]): number {
  const place = listed.findIndex((revision) => isSameId(revision.id, id));
  return place < 0 ? listed.length : place;
}
