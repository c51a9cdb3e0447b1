import { Failure } from "../../errors.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { type Deployment, isBeingDeleted, isSameId, type Revision } from "../../platform/deployment.ts";
import type { RollbackObstacle } from "../../results/rollback.ts";
import { code, id, input, text } from "../../text/message.ts";
import {
  existedBefore,
  hasSameContent,
  liveRevision,
  mayBecomeLive,
  newerRevisions,
  type RunRevision,
  repeatedRevision,
  shownLiveId,
} from "../apply/revision-history.ts";

/** A deployment and its revisions as they are now: what a rollback is decided on. */
export interface DeploymentHistory {
  readonly deployment: Deployment;
  /** Newest first. */
  readonly listed: readonly Revision[];
}

/** The revision of this ID, which is read if the list does not show it. @throws the errors of `ControlPlane` */
export async function readRevision(
  controlPlane: ControlPlane,
  { deployment, listed }: DeploymentHistory,
  revisionId: string,
): Promise<Revision> {
  const known = listed.find((revision) => isSameId(revision.id, revisionId));
  return known ?? (await controlPlane.getRevision(deployment.id, revisionId));
}

/** What `rollback_on_failure` does: deploy a revision again, or leave everything as it is. */
export type RollbackDecision =
  | { readonly kind: "redeploy"; readonly revisionId: string }
  | { readonly kind: "left"; readonly reason: RollbackObstacle };

/**
 * Whether to deploy again what was live before (docs/specification.md#rollback): only if it is no longer live, and no
 * revision after this run's is live or may still become live. `wasDeployed`: whether this run's was `DEPLOYED`.
 */
export function decideRollback(
  run: RunRevision,
  wasDeployed: boolean,
  history: DeploymentHistory,
): RollbackDecision {
  const { liveBefore } = run;
  const { deployment } = history;
  if (isBeingDeleted(deployment)) return left({ kind: "being_deleted" });
  if (liveBefore === undefined) return left(withoutEarlier(run, wasDeployed, history));
  const live = shownLiveId(deployment, run);
  if (typeof live === "string" && isSameId(live, liveBefore.id)) {
    return left({ kind: "still_live", revisionId: liveBefore.id });
  }
  if (typeof live === "string" && !isSameId(live, run.revisionId)) {
    return left({ kind: "other_live", revisionId: live });
  }
  const newer = newerRevision(run, history);
  if (newer !== undefined) return left({ kind: "newer", revision: newer });
  if (live === undefined && !wasDeployed) {
    return left({ kind: "live_unknown", previousId: liveBefore.id });
  }
  return { kind: "redeploy", revisionId: liveBefore.id };
}

function left(reason: RollbackObstacle): RollbackDecision {
  return { kind: "left", reason };
}

/** What is live, if nothing was before this run. */
function withoutEarlier(
  { revisionId: ownId }: RunRevision,
  wasDeployed: boolean,
  { deployment, listed }: DeploymentHistory,
): RollbackObstacle {
  const newest =
    liveRevision(deployment, listed) ?? (wasDeployed ? { id: ownId, isActive: false } : undefined);
  const live = newest && {
    revisionId: newest.id,
    isOwn: isSameId(newest.id, ownId),
    isShown: newest.isActive,
  };
  return { kind: "no_earlier", live };
}

/** A revision after this run's that is live or may become live. */
function newerRevision(run: RunRevision, { listed }: DeploymentHistory): Revision | undefined {
  const ours = listed.find(({ id }) => isSameId(id, run.revisionId));
  const newer =
    ours === undefined
      ? listed.filter(({ id }) => !existedBefore(id, run.baseline))
      : newerRevisions(ours, listed);
  return newer.find(mayBecomeLive);
}

/**
 * The revision that a rollback goes back to by default: the newest one that was live before the one that is live now. If
 * the platform does not show which one is live, the newest revision counts as live.
 *
 * @throws Failure with code `nothing_to_roll_back_to`.
 */
export function previousRevision(history: DeploymentHistory): Revision {
  const { deployment } = history;
  const previous = findPrevious(history);
  if (previous !== undefined) return previous;
  throw new Failure(
    text`Deployment ${code(deployment.id, 100)} shows no revision that was live before the one that is live now, so there is nothing to roll back to.`,
    {
      hint: text`Deploy a working version instead. If an older revision was live, set ${input("revision_id")}.`,
    },
  );
}

function findPrevious(history: DeploymentHistory): Revision | undefined {
  const live = currentRevision(history);
  const older = live === undefined ? [] : history.listed.slice(history.listed.indexOf(live) + 1);
  return older.find(({ status }) => status.kind === "deployed");
}

/**
 * The revision that was made live again in place of `previous`; undefined if none was. A rollback by default would make
 * live again what an earlier rollback replaced.
 */
export function findUndone(previous: Revision, history: DeploymentHistory): Revision | undefined {
  const live = currentRevision(history);
  if (live === undefined || hasSameContent(live, previous)) return undefined;
  return repeatedRevision(live, history.listed);
}

/** What a rollback replaces; undefined if the list does not show it. */
export function replacedRevision(earlier: Revision, history: DeploymentHistory): Revision | undefined {
  const live = currentRevision(history);
  // The earlier one itself is live if a newer revision is about to replace it.
  return live !== undefined && isSameId(live.id, earlier.id) ? history.listed[0] : live;
}

/** Whether a revision is live and no newer one is about to replace it. */
export function staysLive(earlier: Revision, history: DeploymentHistory): boolean {
  const live = currentRevision(history);
  if (live === undefined || !isSameId(live.id, earlier.id)) return false;
  return !newerRevisions(live, history.listed).some(mayBecomeLive);
}

/** The live revision, as far as the list shows it; the newest one if the platform does not show which one is live. */
export function currentRevision({ deployment, listed }: DeploymentHistory): Revision | undefined {
  const { activeRevisionId } = deployment;
  if (typeof activeRevisionId !== "string") return listed[0];
  return listed.find((revision) => isSameId(revision.id, activeRevisionId));
}

/**
 * Checks that a revision was live once. A status that this action does not know may be how the platform calls a revision
 * that was replaced.
 *
 * @throws Failure with code `never_deployed`.
 */
export function checkWasDeployed({ id: revisionId, status }: Revision): void {
  if (status.kind === "deployed" || !status.isKnown) return;
  throw new Failure(
    text`Revision ${id(revisionId)} is ${code(status.raw, 100)} and was never live, so it can't be rolled back to.`,
    {
      hint: text`Set ${input("revision_id")} to a revision that is ${code("DEPLOYED")}.`,
    },
  );
}
