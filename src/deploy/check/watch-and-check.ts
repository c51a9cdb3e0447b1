import type { Compared } from "../../checks/comparison.ts";
import { Failure, toResult } from "../../errors.ts";
import { isSameId, type Revision } from "../../platform/deployment.ts";
import { code, id, type Message, text, url } from "../../text/message.ts";
import type { RevisionJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { confirmLive, watch } from "../watch/watch.ts";
import { checkRevision, verifiesCommit } from "./check.ts";

/** What to report of a revision that is live and passed its checks. */
interface CheckedRevision {
  /** ` at https://…`; undefined if its deployment has no URL. */
  readonly where: Message | undefined;
  readonly passed: readonly Message[];
}

/**
 * Watches a revision until it is live, checks it, and confirms that it is still live. `compared`: what its contract is compared
 * with.
 *
 * @throws CheckFailure if it is live and a check failed, Failure if it is not live, and the reason of a cancellation
 */
export async function watchAndCheck(
  job: RevisionJob,
  ours: RunRevision,
  compared?: Compared,
): Promise<CheckedRevision> {
  const { cancelled } = job;
  const live = await watch(job, ours);
  const checked = await toResult(() => checkRevision(job, ours, live, compared), cancelled);
  const confirmed = await toResult(() => confirmLive(job, ours), cancelled);
  if ("error" in confirmed) {
    // A newer revision may have responded to the checks, so they say nothing certain about this one.
    throw confirmed.error.with("error" in checked ? checked.error.ending.message : undefined);
  }
  if ("error" in checked) throw checked.error;
  const { deployment, revision } = confirmed.value;
  if (verifiesCommit(job)) requireSameCommit(live.revision, revision);
  const where = deployment.url === undefined ? undefined : text` at ${url(deployment.url)}`;
  return { where, passed: checked.value };
}

/** Confirms the commit that `verify_commit` accepted. @throws Failure if the platform shows another one after the checks */
function requireSameCommit(
  { id: revisionId, commitSha: first = "" }: Revision,
  { commitSha }: Revision,
): void {
  if (commitSha === undefined || isSameId(commitSha, first)) return;
  throw new Failure(
    text`Revision ${id(revisionId)} was built from commit ${code(first)} by what the platform said first, and from ${code(commitSha)} now.`,
    { hint: text`Check the deployment on the platform, and run this job again.` },
  );
}
