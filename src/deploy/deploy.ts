import { describeMismatch } from "../report/describe-mismatch.ts";
import type { CommitMismatch, DeployResult } from "../results/deploy.ts";
import type { ChecksResult, WatchResult } from "../results/watch.ts";
import { createOrUpdate } from "./apply/apply.ts";
import { type FindResult, findForUpdate } from "./apply/find-deployment.ts";
import { reportResumed } from "./apply/resume.ts";
import type { RunRevision } from "./apply/revision-history.ts";
import { runChecks } from "./checks/checks.ts";
import { healthCheck } from "./checks/health-check.ts";
import { servingCheck } from "./checks/serving-check.ts";
import { smokeTests } from "./checks/smoke-test.ts";
import { findCommitMismatch } from "./checks/verify-commit.ts";
import { comparison } from "./compare/compare.ts";
import { type ComparedWith, findComparedWith } from "./compare/compared-with.ts";
import { conclude, mayRollBack } from "./conclude.ts";
import { dryRun } from "./dry-run.ts";
import { findUnchanged, type UnchangedRevision } from "./find-unchanged.ts";
import type { DeployJob } from "./job.ts";
import { readVersionBefore } from "./preflight.ts";
import { reportLiveNow } from "./rollback/redeploy.ts";
import { rollBackAfter } from "./rollback/rollback.ts";
import { typicalDurationMs } from "./watch/typical-duration.ts";
import { watch } from "./watch/watch.ts";

/**
 * The story of a deploy: this run's revision is made, watched until it is live, and checked. Three kinds of runs make none: a
 * re-run whose earlier attempt made it, `only_if_changed` if the same is live already, and a dry run.
 */
export async function deploy(job: DeployJob): Promise<DeployResult> {
  const { resumed, options } = job;
  if (resumed !== undefined) {
    reportResumed(job, resumed);
    return await finish(job, resumed, await findComparedWith(job, { kind: "resumed", resumed }));
  }
  const existing = await findForUpdate(job);
  const unchanged = await findUnchanged(job, existing);
  if (unchanged !== undefined) {
    return await checkUnchanged(job, unchanged, await findComparedWith(job, { kind: "unchanged", existing }));
  }
  // What is served now can only be read before it is replaced.
  const comparedWith = await findComparedWith(job, { kind: "makes_revision", existing });
  if (options.dryRun) return await dryRun(job, existing);
  if (existing.kind === "found") await readVersionBefore(job, existing.deployment);
  return await finish(job, await makeRevision(job, existing), comparedWith);
}

/** Makes this run's revision. `existing`: what `findForUpdate` returned. */
async function makeRevision(job: DeployJob, existing: FindResult): Promise<RunRevision> {
  const { options, report, settings, cancelled } = job;
  try {
    const revision = await createOrUpdate(job, existing);
    // Elsewhere, no revision shows when it changed.
    const typicalMs = settings.platform.isLangsmith ? typicalDurationMs(revision.baseline.listed) : undefined;
    report.revision(revision.revisionId, { typicalMs, isResumed: false });
    return revision;
  } catch (error) {
    if (options.interruptOnCancel && cancelled.aborted) report.setFacts({ interruptSkipped: true });
    throw error;
  }
}

/** Waits for the revision, checks it, and makes the earlier one live again if it failed and the inputs ask for that. */
async function finish(
  job: DeployJob,
  revision: RunRevision,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  job.onRevision?.(revision);
  if (!job.options.wait) {
    if (revision.shown !== undefined) job.report.polled(revision.shown);
    return { kind: "started", revisionId: revision.revisionId };
  }
  const watched = await watch(job, revision);
  const result = await check(job, revision, watched, comparedWith);
  if (job.options.rollbackOnFailure && mayRollBack(result)) {
    return { ...result, rollback: await rollBackAfter(job, revision, watched) };
  }
  // For the outputs.
  if (result.kind === "not_deployed") await reportLiveNow(job, revision.deploymentId);
  return result;
}

/** Checks the revision if it is live, and says how the deploy ended without a rollback. */
async function check(
  job: DeployJob,
  revision: RunRevision,
  watched: WatchResult,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  const mismatch = verifyCommit(job, watched);
  // The serving check finds out which revision the others ask.
  const builders = [servingCheck, healthCheck, smokeTests, comparison(comparedWith)];
  const checks: ChecksResult =
    watched.kind === "live" ? await runChecks(job, revision, watched, builders) : { results: [] };
  return conclude(job.options, { watched, checks, mismatch });
}

/** Checks what was live before this run. No rollback follows, because this run changed nothing. */
async function checkUnchanged(
  job: DeployJob,
  { since, run, watched }: UnchangedRevision,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  if (job.options.dryRun) return { kind: "planned_nothing", since };
  return { kind: "unchanged", since, checked: await check(job, run, watched, comparedWith) };
}

/** Why the revision does not hold this run's commit, which is only a warning without `verify_commit`. */
function verifyCommit(job: DeployJob, watched: WatchResult): CommitMismatch | undefined {
  if (watched.kind !== "live" && watched.kind !== "replaced") return undefined;
  const mismatch = findCommitMismatch(job, watched);
  const isUnexpected = mismatch?.kind === "other_commit" && mismatch.isOwnRef;
  if (isUnexpected && !job.options.verifyCommit) job.report.warning(describeMismatch(mismatch).message);
  return mismatch;
}
