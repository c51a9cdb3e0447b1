import type { Deployment, Revision } from "../platform/deployment.ts";
import type { PlatformJob } from "./job.ts";

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
