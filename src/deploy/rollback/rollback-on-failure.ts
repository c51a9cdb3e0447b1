import { toResult } from "../../errors.ts";
import { rollbackReport } from "../../report/writers/log.ts";
import type { RollbackAfterFailure } from "../../results/rollback.ts";
import type { WatchResult } from "../../results/watch.ts";
import { id, text } from "../../text/message.ts";
import { type RunRevision, revisionBaseline } from "../apply/revision-history.ts";
import { type DeployJob, platformJob } from "../job.ts";
import { decideRollback, readRevision } from "./earlier-revision.ts";
import { type Redeployment, redeploy, reportLiveNow, watchRedeployed } from "./redeploy.ts";

/**
 * `rollback_on_failure`: deploys again what was live before, and waits for it for another `timeout_seconds`
 * (docs/specification.md#rollback). `watched`: how the watch of this run's revision ended.
 *
 * @throws the reason of a cancellation.
 */
export async function rollBackOnFailure(
  job: DeployJob,
  run: RunRevision,
  { revision }: WatchResult,
): Promise<RollbackAfterFailure> {
  const wasDeployed = revision?.status.kind === "deployed";
  const { settings, options, report, cancelled } = job;
  const rollbackJob = platformJob(job, settings, options.timeoutMs);
  return await report.during(text`still rolling back`, async (): Promise<RollbackAfterFailure> => {
    const result = await toResult(() => redeployPrevious(rollbackJob, run, wasDeployed), cancelled);
    if ("value" in result) return result.value;
    return { kind: "error", error: result.error, live: await reportLiveNow(rollbackJob, run.deploymentId) };
  });
}

async function redeployPrevious(
  job: DeployJob,
  run: RunRevision,
  wasDeployed: boolean,
): Promise<RollbackAfterFailure> {
  const { controlPlane, plan, report } = job;
  const { deploymentId } = run;
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  const list = await controlPlane.listRevisions(deploymentId);
  const history = { deployment, listed: list.listed };
  const decision = decideRollback(run, wasDeployed, history);
  if (decision.kind === "left") return decision;
  const earlier = await readRevision(controlPlane, history, decision.revisionId);
  const baseline = revisionBaseline(list, deployment);
  const redeployment = {
    earlier,
    deployment,
    // The list may lag.
    baseline: { ...baseline, ids: new Set([...baseline.ids, run.revisionId.toLowerCase()]) },
    replacedSource: plan.source,
  };
  return await redeployAndWatch(job, redeployment);
}

async function redeployAndWatch(job: DeployJob, redeployment: Redeployment): Promise<RollbackAfterFailure> {
  const { report, cancelled } = job;
  const { earlier, deployment } = redeployment;
  const [earlierId, deploymentId] = [earlier.id, deployment.id];
  report.info(text`Rolling back to revision ${id(earlierId)}, which was live when this run started.`);
  // Only this run's own revision has its log shown, or is interrupted.
  const options = { ...job.options, buildLog: "off", interruptOnCancel: false } as const;
  const redeployJob = { ...job, options, report: rollbackReport(report, earlierId) };
  const work = { kind: "rollback", deploymentId, earlierId } as const;
  const live = () => reportLiveNow(job, deploymentId);
  const rollBack = async (): Promise<RollbackAfterFailure> => {
    const redeployed = await redeploy(redeployJob, redeployment);
    if (redeployed.kind === "not_redeployable") return { ...redeployed, live: await live() };
    const { revisionId } = redeployed.run;
    report.info(text`The rollback created revision ${id(revisionId)}.`);
    return await report.whileUnfinished({ ...work, revisionId }, async () => {
      const watched = await watchRedeployed(redeployJob, redeployed.run, earlier);
      const hasNewSecrets = job.plan.desired.secrets.entries.length > 0;
      if (watched.kind !== "live") {
        return { kind: "failed", earlierId, redeployed: watched, live: await live(), hasNewSecrets };
      }
      report.setFacts({ rolledBackTo: earlierId });
      return { kind: "rolled_back", earlierId, revisionId, live: await live(), hasNewSecrets };
    });
  };
  // An error is how the rollback ended; a cancellation is thrown and leaves it unfinished.
  const result = await report.whileUnfinished(work, () => toResult(rollBack, cancelled));
  if ("error" in result) throw result.error;
  return result.value;
}
