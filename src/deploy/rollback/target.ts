import { ActionError } from "../../errors.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isSameId } from "../../text/ids.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import type { DeploymentHistory } from "./deployment-history.ts";

/**
 * The revision that a rollback goes back to by default: the newest one that was live before the one that is live now. If
 * the platform does not show which one is live, the newest revision counts as live.
 *
 * @throws ActionError with code `nothing_to_roll_back_to`.
 */
export function previousRevision(history: DeploymentHistory): Revision {
  const { deployment } = history;
  const previous = findPrevious(history);
  if (previous !== undefined) return previous;
  throw new ActionError(
    `Deployment ${sanitizeExcerpt(deployment.id, 100)} shows no revision that was live before the one that is live now, so there is nothing to roll back to.`,
    {
      code: "nothing_to_roll_back_to",
      hint: "Deploy a working version instead. If an older revision was live, set revision_id.",
    },
  );
}

/** Whether the list goes back far enough to decide on a rollback to `revisionId`, or by default. */
export function decidesRollback(history: DeploymentHistory, revisionId: string | undefined): boolean {
  return revisionId === undefined
    ? findPrevious(history) !== undefined
    : currentRevision(history) !== undefined;
}

function findPrevious(history: DeploymentHistory): Revision | undefined {
  const live = currentRevision(history);
  const older = live === undefined ? [] : history.listed.slice(history.listed.indexOf(live) + 1);
  return older.find(({ status }) => status.kind === "deployed");
}

/** What a rollback replaces; undefined if the list does not show it. */
export function replacedRevision(target: Revision, history: DeploymentHistory): Revision | undefined {
  const live = currentRevision(history);
  // The target itself is live if a newer revision is about to replace it.
  return live !== undefined && isSameId(live.id, target.id) ? history.listed[0] : live;
}

/** Whether a revision is live and no newer one is about to replace it. */
export function staysLive({ id }: Revision, history: DeploymentHistory): boolean {
  const live = currentRevision(history);
  if (live === undefined || !isSameId(live.id, id)) return false;
  const newer = history.listed.slice(0, history.listed.indexOf(live));
  return !newer.some(({ status }) => status.kind === "pending");
}

/** The live revision, as far as the list shows it; the newest one if the platform does not show which one is live. */
function currentRevision({ deployment, listed }: DeploymentHistory): Revision | undefined {
  const { activeRevisionId } = deployment;
  if (typeof activeRevisionId !== "string") return listed[0];
  return listed.find(({ id }) => isSameId(id, activeRevisionId));
}

/**
 * Checks that a revision was live once. A status that this action does not know may be how the platform calls a revision
 * that was replaced.
 *
 * @throws ActionError with code `never_deployed`.
 */
export function checkWasDeployed({ id, status }: Revision): void {
  if (status.kind === "deployed" || !status.isKnown) return;
  throw new ActionError(
    `Revision ${sanitizeExcerpt(id, 100)} is ${sanitizeExcerpt(status.raw, 100)} and was never live, so it can't be rolled back to.`,
    {
      code: "never_deployed",
      hint: "Set revision_id to a revision that is DEPLOYED, or leave it out.",
    },
  );
}
