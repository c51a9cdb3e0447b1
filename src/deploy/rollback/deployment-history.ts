import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, Revision } from "../../platform/deployment.ts";
import { isSameId } from "../../text/ids.ts";

/** A deployment and its revisions as they are now: what a rollback is decided on. */
export interface DeploymentHistory {
  readonly deployment: Deployment;
  /** Newest first. */
  readonly listed: readonly Revision[];
}

/** The revision of this id, which is read if the list does not show it. @throws like `ControlPlane` */
export async function readRevision(
  id: string,
  { deployment, listed }: DeploymentHistory,
  controlPlane: ControlPlane,
): Promise<Revision> {
  const known = listed.find((revision) => isSameId(revision.id, id));
  return known ?? (await controlPlane.getRevision(deployment.id, id));
}
