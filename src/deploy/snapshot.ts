import type { PlatformContext } from "../context.ts";
import type { Deployment } from "../platform/deployment.ts";
import { type DeploymentId, isSameId, type RevisionId } from "../platform/ids.ts";
import type { Revision } from "../platform/revision.ts";
import type { SeenRevisions } from "../state/own-revision.ts";

/** A deployment and its revisions, as they were just read. */
export interface Snapshot extends SeenRevisions {
  readonly deployment: Deployment;
}

/** The time within which a new revision and its log become visible. Until then, a 404 means nothing. */
export const maxLagMs = 60_000;
/** The delay between two polls for it. */
export const lagPollMs = 2000;

/** The earlier revisions of a deployment that did not exist, or that was not read. */
export const noRevisions: SeenRevisions = {
  listed: [],
  latestId: undefined,
  liveId: undefined,
  readAt: undefined,
};

/** A revision that was seen live. */
export interface LiveRevision {
  readonly deployment: Deployment;
  readonly revision: Revision;
}

/** Reads this run's deployment and its revisions, and reports which one is live. */
export async function readSnapshot(context: PlatformContext, deploymentId: DeploymentId): Promise<Snapshot> {
  const deployment = await context.controlPlane.getDeployment(deploymentId);
  context.report.setDeployment(deployment);
  return await snapshotOf(context, deployment);
}

/**
 * `readSnapshot` for a deployment that was just read. The list is read after it, so that it usually has the revisions that the
 * deployment names. If the platform never showed which revision is live, it is the newest one that is `DEPLOYED`.
 */
export async function snapshotOf(
  { controlPlane, report }: PlatformContext,
  deployment: Deployment,
): Promise<Snapshot> {
  const list = await controlPlane.listRevisions(deployment.id);
  const { hasShownLive, activeRevisionId, latestRevisionId: latestId } = deployment;
  const liveId = hasShownLive ? activeRevisionId : newestDeployed(list.listed)?.id;
  report.set({ liveRevisionId: liveId });
  return { ...list, deployment, latestId, liveId };
}

/** Returns the first `DEPLOYED` revision of a list. It need not have been live. */
export function newestDeployed(listed: readonly Revision[]): Revision | undefined {
  return listed.find(({ status }) => status.kind === "deployed");
}

/** Returns the index of a revision in the list, newest first; the length of the list if it is not listed. */
export function indexById(listed: readonly Revision[], id: RevisionId): number {
  const index = listed.findIndex((revision) => isSameId(revision.id, id));
  return index < 0 ? listed.length : index;
}

export function findById(listed: readonly Revision[], id: RevisionId): Revision | undefined {
  return listed[indexById(listed, id)];
}
