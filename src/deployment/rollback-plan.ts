import type { Deployment, Revision } from "../platform/deployment.ts";
import { kindOfStatus } from "../platform/status.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { LiveRevision } from "./attribution.ts";
import type { AppliedRevision } from "./written.ts";

/** What is known once this run's revision has ended badly. */
export interface RollbackQuestion {
  readonly written: AppliedRevision;
  /** Whether this run's revision was `DEPLOYED`. */
  readonly wasDeployed: boolean;
  /** As it is now. */
  readonly deployment: Deployment;
  /** Its revisions now, newest first. */
  readonly listed: readonly Revision[];
}

export type RollbackPlan =
  /** The revision to be deployed again. */
  | { readonly kind: "redeploy"; readonly revisionId: string }
  /** `why`: a sentence. */
  | { readonly kind: "leave"; readonly why: string };

/**
 * Whether what was live before is to be deployed again: only where it is no longer live, and nothing that came after
 * this run's revision is, or may still become so.
 */
export function planRollback(question: RollbackQuestion): RollbackPlan {
  const { written, wasDeployed, deployment } = question;
  const { liveBefore } = written;
  if (liveBefore === undefined) {
    return leave("No revision is known to have been live before, so there is nothing to roll back to.");
  }
  const before = shownId(liveBefore.id);
  const live = liveNow(deployment, liveBefore);
  if (live === liveBefore.id) {
    return leave(`Nothing had to be rolled back: revision ${before}, which was live before, still is.`);
  }
  if (typeof live === "string" && live !== written.revisionId) {
    return leave(`Nothing was rolled back, because another revision is live by now: ${shownId(live)}.`);
  }
  const newer = newerRevision(question);
  if (newer !== undefined) {
    return leave(
      `Nothing was rolled back, because a newer revision takes over: ${shownId(newer.id)} is ${shownId(newer.status)}.`,
    );
  }
  if (live === undefined && !wasDeployed) {
    return leave(
      `Nothing was rolled back, because this control plane doesn't show which revision is live: after such an end it usually still is the one before, ${before}.`,
    );
  }
  return { kind: "redeploy", revisionId: liveBefore.id };
}

function leave(why: string): RollbackPlan {
  return { kind: "leave", why };
}

function shownId(text: string): string {
  return sanitizeExcerpt(text, 100);
}

/** `null` where none is, undefined where that isn't known: some platforms always show `null`. */
function liveNow({ activeRevisionId }: Deployment, liveBefore: LiveRevision): string | null | undefined {
  return activeRevisionId === null && !liveBefore.shown ? undefined : activeRevisionId;
}

/** A revision that came after this run's and that hasn't ended badly. */
function newerRevision({ written, listed }: RollbackQuestion): Revision | undefined {
  const place = listed.findIndex(({ id }) => id === written.revisionId);
  const after = place < 0 ? listed.filter(({ id }) => !written.before.ids.has(id)) : listed.slice(0, place);
  return after.find(({ status }) => ["pending", "deployed"].includes(kindOfStatus(status)));
}
