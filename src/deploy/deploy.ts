import { CheckError } from "../checks/check-error.ts";
import type { SuccessEnding } from "../errors.ts";
import { id, text } from "../text/message.ts";
import { atUrl, checkAndConfirm } from "./check/check-and-confirm.ts";
import { checkUnchanged } from "./check/check-unchanged.ts";
import { dryRun } from "./dry-run.ts";
import { prepareComparison } from "./find/prepare-comparison.ts";
import { resolveTarget } from "./find/resolve-target.ts";
import { findUnchanged } from "./find/unchanged.ts";
import type { DeployJob } from "./job.ts";
import { makeRevision } from "./make/make-revision.ts";
import { reportResumed, resume } from "./make/resume.ts";
import { rollBackOnFailure } from "./rollback/rollback-on-failure.ts";
import { confirmStarted } from "./watch/confirm-started.ts";
import { watch } from "./watch/watch.ts";

/**
 * Makes this run's revision, watches it until it is live, and checks it. Three kinds of runs make no revision: a dry run, one
 * with `only_if_changed` if nothing has changed, and one that resumes the revision of an earlier attempt or step.
 *
 * @throws Failure if the deploy did not succeed
 */
export async function deploy(job: DeployJob): Promise<SuccessEnding> {
  const { options } = job;
  const target = await resolveTarget(job);
  const { deployment: existing } = target;
  const unchanged = await findUnchanged(job, existing);
  if (options.dryRun) return await dryRun(job, target, unchanged);
  if (unchanged !== undefined) return await checkUnchanged(job, unchanged);
  const resumed = await resume(job, existing);
  // It is not reported before: if the comparison can't be prepared, the record of the earlier attempt must not be ended.
  const comparedAgent = await prepareComparison(job, existing, resumed && startedEarlierReason);
  const ours = resumed ?? (await makeRevision(job, target));
  if (resumed !== undefined) reportResumed(job, resumed);
  if (!options.wait) return await confirmStarted(job, ours);
  try {
    const details = await checkAndConfirm(job, ours, await watch(job, ours), comparedAgent);
    const message = text`Revision ${id(ours.revisionId)} is live${atUrl(job)}.`;
    return { outcome: "deployed", message, details };
  } catch (error) {
    throw error instanceof CheckError ? await rollBackOnFailure(job, ours, error) : error;
  }
}

const startedEarlierReason = text`an earlier attempt or step of this run started the revision`;
