import { type Failure, toError, toResult } from "../errors.ts";
import { code, id, inputName, type Message, text } from "../text/message.ts";
import { CheckFailure } from "./check.ts";
import { readHistory } from "./history.ts";
import type { DeployJob, RevisionJob } from "./job.ts";
import { earlierDeployed, redeploy } from "./redeploy.ts";
import type { RunRevision } from "./run-revision.ts";
import { confirmLive } from "./watch.ts";
import { watchAndCheck } from "./watch-and-check.ts";

/**
 * What a failed deploy ends with: the failure, with what is live now. `rollback_on_failure` deploys again what was live before
 * a revision that was live and did not pass its checks (docs/specification.md#rollback).
 *
 * @throws the reason of a cancellation
 */
export async function afterFailure(job: DeployJob, ours: RunRevision, thrown: unknown): Promise<Error> {
  if (!(thrown instanceof CheckFailure)) return toError(thrown);
  const notLive = await findNotLive(job, ours, thrown);
  if (notLive !== undefined) {
    return job.options.rollbackOnFailure ? notLive.with(text`Nothing was rolled back.`) : notLive;
  }
  if (!job.options.rollbackOnFailure || !thrown.allowsRollback) {
    return thrown.with(job.isPreview ? previewStaysLive : staysLive(thrown.allowsRollback));
  }
  return await rollBackOnFailure(job, ours, thrown);
}

const previewStaysLive = text`Production is not affected: only the preview runs this revision.`;

function staysLive(allowsRollback: boolean): Message {
  const remedy = text` To roll back, use the rollback action or ${code("rollback_on_failure: true")}.`;
  return text`This revision stays live.${allowsRollback ? remedy : undefined}`;
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
  // A newer revision may have answered the checks, so they say nothing of this one.
  return ending.outcome === "superseded"
    ? confirmed.error.with(failure.ending.message)
    : failure.with(ending.message);
}

async function rollBackOnFailure(job: DeployJob, ours: RunRevision, failure: CheckFailure): Promise<Failure> {
  const { report, clock, cancelled } = job;
  const rolledBack = await toResult(() => redeployEarlier(job, ours), cancelled);
  report.set({ endedAt: clock.now() });
  if ("value" in rolledBack) return failure.with(...rolledBack.value);
  const { message, details = [], hint } = rolledBack.error.ending;
  return failure.with(text`The rollback failed: ${message}`, ...details, hint);
}

/**
 * How the revision of a rollback is watched: only the health and serving checks are made on what was live before. No record
 * leads a re-run to it, and its log is not shown, because the one of this run's own revision is.
 */
function rollbackJob({ records: _, ...job }: DeployJob): RevisionJob {
  const checks = { ...job.options.checks, smokeTests: [], compare: undefined, verifyCommit: false };
  return { ...job, options: { ...job.options, buildLog: "off", interruptOnCancel: false, checks } };
}

/** What was rolled back, as sentences. @throws Failure if the earlier revision is not live again */
async function redeployEarlier(job: DeployJob, ours: RunRevision): Promise<readonly Message[]> {
  const { report, plan } = job;
  const { deploymentId, revisionId } = ours;
  const history = await readHistory(job, deploymentId);
  const earlier = earlierDeployed(revisionId, history.listed);
  if (earlier === undefined) {
    return [
      text`No earlier revision was deployed, so there is nothing to roll back to. This revision stays live.`,
    ];
  }
  const rollback = { targetId: earlier.id, statuses: [], checks: [] };
  report.set({ rollback });
  const redeployed = await redeploy(job, history, earlier);
  report.set({ rollback: { ...rollback, revisionId: redeployed.revisionId, phase: "running" } });
  await watchAndCheck(rollbackJob(job), redeployed).catch(async (failure: unknown) => {
    if (!(failure instanceof CheckFailure)) throw failure;
    throw (await findNotLive(job, redeployed, failure)) ?? failure;
  });
  report.set({ rolledBackTo: earlier.id });
  const content = text`Rolled back: the content of revision ${id(earlier.id)} is live again as revision ${id(redeployed.revisionId)}.`;
  return plan.update.secrets === undefined ? [content] : [content, keptSecrets];
}

const keptSecrets = text`A rollback does not restore ${inputName("secrets")} and ${inputName("env_vars")}: those of this run stay in place. If one of them is wrong, correct it and deploy again.`;
