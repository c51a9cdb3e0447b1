import type { Deployment, Revision } from "../platform/deployment.ts";
import type { PlatformJob } from "./job.ts";

/** A deployment and its revisions, as they were just read. */
export interface DeploymentHistory {
  readonly deployment: Deployment;
  /** Newest first. */
  readonly listed: readonly Revision[];
  /** When they were read, by the platform's own clock; milliseconds since the epoch, NaN if it does not tell. */
  readonly readAt: number;
}

/** Reads a deployment, and then its revisions: the list has whatever the deployment refers to. */
export async function readHistory(
  { controlPlane, report }: PlatformJob,
  deploymentId: string,
): Promise<DeploymentHistory> {
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  const listed = await controlPlane.listRevisions(deploymentId);
  return { deployment, listed, readAt: controlPlane.respondedAt };
}
