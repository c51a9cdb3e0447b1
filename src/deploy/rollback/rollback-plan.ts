import { type Deployment, isBeingDeleted, type Revision } from "../../platform/deployment.ts";
import { isSameId } from "../../text/ids.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { type AppliedRevision, existedBefore, type LiveRevision } from "../apply/match-revision.ts";
import type { DeploymentHistory } from "./deployment-history.ts";

/** What is known once this run's revision has failed. */
export interface RollbackFacts extends DeploymentHistory {
  readonly applied: AppliedRevision;
  /** Whether this run's revision was `DEPLOYED`. */
  readonly wasDeployed: boolean;
}

export type RollbackPlan =
  | { readonly kind: "redeploy"; readonly revisionId: string }
  /** `why`: a sentence. */
  | { readonly kind: "leave"; readonly why: string };

/**
 * Whether to deploy again what was live before (docs/specification.md#rollback): only if it is no longer live, and no
 * revision after this run's is live or may still become live.
 */
export function planRollback(question: RollbackFacts): RollbackPlan {
  const { applied, wasDeployed, deployment } = question;
  const { liveBefore } = applied;
  if (liveBefore === undefined)
    return leave("No earlier live revision is known, so there is nothing to roll back to.");
  if (isBeingDeleted(deployment))
    return leave("Nothing was rolled back, because the deployment is being deleted.");
  const before = sanitizeExcerpt(liveBefore.id, 100);
  const live = liveNow(deployment, liveBefore);
  if (typeof live === "string" && isSameId(live, liveBefore.id))
    return leave(`No rollback was needed: revision ${before} is still live.`);
  if (typeof live === "string" && !isSameId(live, applied.revisionId)) {
    return leave(`Nothing was rolled back, because another revision is live: ${sanitizeExcerpt(live, 100)}.`);
  }
  const newer = newerRevision(question);
  if (newer !== undefined) {
    const { id, status } = newer;
    return leave(
      `Nothing was rolled back, because the newer revision ${sanitizeExcerpt(id, 100)} is ${sanitizeExcerpt(status.raw, 100)}.`,
    );
  }
  if (live === undefined && !wasDeployed) {
    return leave(
      `Nothing was rolled back, because this control plane does not show which revision is live. Usually it is still the one before, ${before}.`,
    );
  }
  return { kind: "redeploy", revisionId: liveBefore.id };
}

function leave(why: string): RollbackPlan {
  return { kind: "leave", why };
}

/** `null` if none is live, undefined if that is unknown: some platforms always show `null`. */
function liveNow({ activeRevisionId }: Deployment, liveBefore: LiveRevision): string | null | undefined {
  return activeRevisionId === null && !liveBefore.isActive ? undefined : activeRevisionId;
}

/** A revision after this run's that is live or may become live. */
function newerRevision({ applied, listed }: RollbackFacts): Revision | undefined {
  const place = listed.findIndex(({ id }) => isSameId(id, applied.revisionId));
  const newer =
    place < 0 ? listed.filter(({ id }) => !existedBefore(id, applied.before)) : listed.slice(0, place);
  return newer.find(({ status }) => status.kind === "pending" || status.kind === "deployed");
}
