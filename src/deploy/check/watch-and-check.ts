import type { Compared } from "../../checks/comparison.ts";
import { Failure, toResult } from "../../errors.ts";
import { isSameId, type Revision } from "../../platform/deployment.ts";
import { code, id, type Message, text, url } from "../../text/message.ts";
import type { RevisionJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { confirmLive, watch } from "../watch/watch.ts";
import { type CheckFailure, checkRevision, verifiesCommit } from "./check-revision.ts";

/** What to report of a revision that is live and passed its checks. */
interface CheckedRevision {
  /** ` at https://…`; undefined if its deployment has no URL. */
  readonly where: Message | undefined;
  readonly passed: readonly Message[];
}

/**
 * Watches a revision until it is live, checks it, and confirms that it is live still. `compared`: what its contract is compared
 * with.
 *
 * @throws CheckFailure if a check fails, Failure if it is not live, and the reason of a cancellation
 */
export async function watchAndCheck(
  job: RevisionJob,
  ours: RunRevision,
  compared?: Compared,
): Promise<CheckedRevision> {
  const live = await watch(job, ours);
  const passed = await checkRevision(job, ours, live, compared);
  const { deployment, revision } = await confirmLive(job, ours);
  if (verifiesCommit(job)) requireSameCommit(live.revision, revision);
  return { where: deployment.url === undefined ? undefined : text` at ${url(deployment.url)}`, passed };
}

/** Confirms the commit that `verify_commit` accepted. @throws Failure if the platform shows another one after the checks */
function requireSameCommit(
  { id: revisionId, commitSha: before = "" }: Revision,
  { commitSha }: Revision,
): void {
  if (commitSha === undefined || isSameId(commitSha, before)) return;
  throw new Failure(
    text`Revision ${id(revisionId)} was built from commit ${code(before)} by what the platform said first, and from ${code(commitSha)} now.`,
    { hint: text`Check the deployment on the platform, and run this job again.` },
  );
}

/** What a failed check ends with if the revision is not, or may not be, live any more; undefined if it is. */
export async function findNotLive(
  job: RevisionJob,
  ours: RunRevision,
  failure: CheckFailure,
): Promise<Failure | undefined> {
  const confirmed = await toResult(() => confirmLive(job, ours), job.cancelled);
  if ("value" in confirmed) return undefined;
  const { ending } = confirmed.error;
  // A newer revision may have responded to the checks, so they say nothing about this one.
  return ending.outcome === "superseded"
    ? confirmed.error.with(failure.ending.message)
    : failure.with(ending.message);
}
