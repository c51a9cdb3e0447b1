import { commitCheck } from "../checks/commit-check.ts";
import type { DeployResult, DryRunChange } from "../results/deploy.ts";
import type { WatchResult } from "../results/watch.ts";
import { createOrUpdate } from "./apply/apply.ts";
import { type ExistingDeployment, findForUpdate } from "./apply/find-deployment.ts";
import { findStartedRevision, reportStarted } from "./apply/resume.ts";
import type { RunRevision } from "./apply/revision-history.ts";
import { builtCommit } from "./built-commit.ts";
import { checkRevision } from "./check-revision.ts";
import { type ComparedWith, findComparedWith } from "./compare/compared-with.ts";
import { conclude, mayRollBack } from "./conclude.ts";
import { dryRun } from "./dry-run.ts";
import { findUnchanged, type UnchangedRevision } from "./find-unchanged.ts";
import type { DeployJob } from "./job.ts";
import { reportLiveNow } from "./rollback/redeploy.ts";
import { rollBackOnFailure } from "./rollback/rollback-on-failure.ts";
import { typicalDurationMs } from "./watch/typical-duration.ts";
import { reportUnwatched, watch } from "./watch/watch.ts";

/**
 * The story of a deploy: this run's revision is made, watched until it is live, and checked. Three kinds of runs make none: a
 * re-run whose earlier attempt made it, `only_if_changed` if the same is live already, and a dry run.
 */
export async function deploy(job: DeployJob): Promise<DeployResult> {
  return await finish(job, await begin(job));
}

/** What a deploy has done before there is anything to wait for. */
type BegunDeploy =
  /** Made by this run, or by an earlier attempt or step of it. */
  | {
      readonly kind: "revision";
      readonly revision: RunRevision;
      readonly comparedWith: ComparedWith | undefined;
    }
  | {
      readonly kind: "unchanged";
      readonly unchanged: UnchangedRevision;
      readonly comparedWith: ComparedWith | undefined;
    }
  | { readonly kind: "planned"; readonly change: DryRunChange };

/** The first part: finds or makes this run's revision. */
export async function begin(job: DeployJob): Promise<BegunDeploy> {
  const { options } = job;
  if (!options.dryRun) {
    const started = await findStartedRevision(job, ["pending"]);
    if (started !== undefined) {
      const { revision } = started;
      reportStarted(job, started);
      const comparedWith = await findComparedWith(job, { kind: "resumed", resumed: revision });
      return { kind: "revision", revision, comparedWith };
    }
  }
  const existing = await findForUpdate(job);
  const unchanged = await findUnchanged(job, existing);
  if (unchanged !== undefined) {
    const comparedWith = await findComparedWith(job, { kind: "unchanged", existing });
    return { kind: "unchanged", unchanged, comparedWith };
  }
  // What is served now can only be read before it is replaced.
  const comparedWith = await findComparedWith(job, { kind: "makes_revision", existing });
  if (options.dryRun) return { kind: "planned", change: await dryRun(job, existing) };
  return { kind: "revision", revision: await makeRevision(job, existing), comparedWith };
}

/** The second part: waits for the revision and checks it. */
export async function finish(job: DeployJob, begun: BegunDeploy): Promise<DeployResult> {
  switch (begun.kind) {
    case "planned":
      return begun;
    case "unchanged":
      return await checkUnchanged(job, begun.unchanged, begun.comparedWith);
    case "revision":
      return await watchAndCheck(job, begun.revision, begun.comparedWith);
  }
}

async function makeRevision(job: DeployJob, existing: ExistingDeployment): Promise<RunRevision> {
  const { options, report, cancelled } = job;
  try {
    const revision = await createOrUpdate(job, existing);
    const typicalMs = typicalDurationMs(revision.baseline.listed);
    report.revision(revision.revisionId, { typicalMs, isResumed: false });
    return revision;
  } catch (error) {
    if (options.interruptOnCancel && cancelled.aborted) report.setFacts({ interruptSkipped: true });
    throw error;
  }
}

/** Waits for the revision, checks it, and makes the earlier one live again if it failed and the inputs ask for that. */
async function watchAndCheck(
  job: DeployJob,
  revision: RunRevision,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  const { options } = job;
  if (!options.wait) {
    reportUnwatched(job, revision);
    return { kind: "started", revisionId: revision.revisionId };
  }
  const watched = await watch(job, revision, { built: job });
  const result = await check(job, revision, watched, comparedWith);
  const { removedSecrets = [] } = revision;
  if (options.rollbackOnFailure && mayRollBack(result)) {
    return { ...result, removedSecrets, rollback: await rollBackOnFailure(job, revision, watched) };
  }
  if (result.kind === "check_failed") return { ...result, removedSecrets };
  if (result.kind !== "not_deployed") return result;
  const live = await reportLiveNow(job, revision.deploymentId);
  return { ...result, live, previousId: revision.liveBefore?.id };
}

/** Checks the revision if it is live, and says how the deploy ended without a rollback. */
async function check(
  job: DeployJob,
  revision: RunRevision,
  watched: WatchResult,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  const verified =
    job.options.verifyCommit && watched.kind === "live" ? builtCommit(job, watched) : undefined;
  const commit = verified && commitCheck(verified);
  const checks = await checkRevision(job, revision, watched, { comparedWith, commit });
  return conclude(job.options, { watched, checks });
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
