import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isSameId } from "../../text/ids.ts";
import { parseTimestamp } from "../../text/time.ts";
import { type AppliedRevision, existedBefore } from "../apply/match-revision.ts";

/**
 * Whether a revision, by the id that an agent shows, is newer than this run's; undefined if the platform does not list
 * it. @throws the reason of a cancellation.
 */
export async function isNewerRevision(
  revisionId: string,
  ours: Revision | undefined,
  { deploymentId, before }: AppliedRevision,
  controlPlane: ControlPlane,
  { cancelled }: Pick<RunContext, "cancelled">,
): Promise<boolean | undefined> {
  if (existedBefore(revisionId, before)) return false;
  const read = await bestEffort(() => controlPlane.listRevisions(deploymentId), cancelled);
  const found = "value" in read ? read.value.find(({ id }) => isSameId(id, revisionId)) : undefined;
  return found && wasCreatedAfter(found, ours);
}

/** Without times, what did not exist before the write was created after it. */
export function wasCreatedAfter(other: Revision, ours: Revision | undefined): boolean {
  const [theirs, own] = [parseTimestamp(other.createdAt), parseTimestamp(ours?.createdAt)];
  return Number.isNaN(theirs - own) ? true : theirs >= own;
}
