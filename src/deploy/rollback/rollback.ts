import { ActionError, toResult } from "../../errors.ts";
import type { AgentInputs, CompareInputs } from "../../inputs/checks.ts";
import type { ControlPlane, RevisionList } from "../../platform/control-plane.ts";
import { type Deployment, isSameId, type Revision } from "../../platform/deployment.ts";
import { isUnknownId } from "../../platform/error-kinds.ts";
import type { NotRedeployable, RollbackActionResult, RollbackAfterFailure } from "../../results/rollback.ts";
import type { WatchResult } from "../../results/watch.ts";
import { code, id, input, text } from "../../text/message.ts";
import { reportResumed } from "../apply/resume.ts";
import { type RunRevision, revisionBaseline } from "../apply/revision-history.ts";
import { connectAgent } from "../checks/agent-client.ts";
import { performCheck } from "../checks/check.ts";
import { type Comparison, comparisonCheck } from "../compare/compare.ts";
import { type ComparedWith, readPrevious, readPreviousOfResumed } from "../compare/compared-with.ts";
import { type DeployJob, platformJob, type RevisionJob } from "../job.ts";
import { type Redeployed, type Redeployment, readLiveNow, redeploy, watchRedeployed } from "./redeploy.ts";
import {
  checkWasDeployed,
  type DeploymentHistory,
  decideRollback,
  decidesRollback,
  previousRevision,
  readRevision,
  replacedRevision,
  staysLive,
} from "./target.ts";

/** What the rollback action goes back to. */
interface RollbackTarget {
  readonly deployment: Deployment;
  /** Undefined: the revision that was live before. */
  readonly revisionId: string | undefined;
  /** What an earlier attempt or step of this run started. */
  readonly resumed: RunRevision | undefined;
  /** Undefined: what is served afterwards is not compared with what was served before. */
  readonly compare: CompareInputs | undefined;
  readonly agent: AgentInputs;
}

/**
 * The rollback action: makes an earlier revision the live one again and waits for it (docs/specification.md#rollback).
 *
 * @throws ActionError if there is nothing to go back to, and the errors of `redeploy` and `watch`.
 */
export async function rollBack(job: RevisionJob, target: RollbackTarget): Promise<RollbackActionResult> {
  const { controlPlane, report, options } = job;
  const { deployment, revisionId: wantedId, resumed, compare } = target;
  const history = await readHistory(job, deployment, wantedId);
  const earlier =
    wantedId === undefined ? previousRevision(history) : await readWanted(controlPlane, history, wantedId);
  const earlierId = earlier.id;
  checkWasDeployed(earlier);
  report.setFacts({ rollbackTarget: earlierId });
  if (resumed === undefined && staysLive(earlier, history)) {
    report.setFacts({ rolledBackTo: earlierId });
    return { kind: "already_live", earlierId };
  }
  if (resumed !== undefined) reportResumed(job, resumed);
  const comparedWith = await readComparedWith(job, target);
  // Another run may have made a revision live while the agent was read.
  const readNow = async () =>
    compare === undefined
      ? history
      : await readHistory(job, await controlPlane.getDeployment(deployment.id), wantedId);
  const started: Redeployed | NotRedeployable =
    resumed === undefined
      ? await startRollback(job, earlier, await readNow())
      : { kind: "redeployed", run: resumed };
  if (started.kind === "not_redeployable") return started;
  const { run } = started;
  if (!options.wait) {
    report.setFacts({ rolledBackTo: earlierId });
    return { kind: "started", earlierId, revisionId: run.revisionId };
  }
  const watched = await watchRedeployed(job, run, earlier);
  if (watched.kind === "live" || watched.kind === "replaced") {
    report.setFacts({ rolledBackTo: earlierId });
    const result = { kind: "rolled_back", earlierId, watched } as const;
    if (compare === undefined || comparedWith === undefined) return result;
    const { liveBefore } = run;
    return await compareRolledBack(job, target, { compare, comparedWith, liveBefore }, result);
  }
  return { kind: "failed", watched, live: await readLiveNow(job, deployment.id) };
}

async function readHistory(
  { controlPlane }: RevisionJob,
  deployment: Deployment,
  wantedId: string | undefined,
): Promise<DeploymentHistory & RevisionList> {
  const isEnough = (listed: readonly Revision[]) => decidesRollback({ deployment, listed }, wantedId);
  return { deployment, ...(await controlPlane.listRevisionsUntil(deployment.id, isEnough)) };
}

async function readComparedWith(
  job: RevisionJob,
  { deployment, resumed, compare, agent }: RollbackTarget,
): Promise<ComparedWith | undefined> {
  if (compare === undefined) return undefined;
  return resumed === undefined
    ? await readPrevious(job, agent, deployment)
    : await readPreviousOfResumed(job, agent, resumed, deployment);
}

type RolledBack = Extract<RollbackActionResult, { kind: "rolled_back" }>;

/** Compares what is served now with what was served before. A newer revision would be compared in place of this run's. */
async function compareRolledBack(
  job: RevisionJob,
  { deployment, agent }: RollbackTarget,
  comparison: Omit<Comparison, "agent">,
  result: RolledBack,
): Promise<RollbackActionResult> {
  const { earlierId, watched } = result;
  if (watched.kind === "replaced") return { kind: "not_checked", earlierId, watched };
  const live = connectAgent(watched.url, agent, job.cancelled);
  const compared = await performCheck(job, comparisonCheck(job, { ...comparison, agent: live }));
  job.report.checksEnded();
  const now = await readLiveNow(job, deployment.id);
  job.cancelled.throwIfAborted();
  if (now.kind === "unreadable") {
    job.report.warning(
      text`${now.error.text} Could not confirm that revision ${id(watched.revision.id)} was still live after the comparison.`,
    );
  }
  if (now.kind === "shown" && !isSameId(now.revisionId, watched.revision.id)) {
    const { revision, repoUrl } = watched;
    const replaced = { kind: "replaced", revision, repoUrl, liveRevisionId: now.revisionId } as const;
    return { kind: "not_checked", earlierId, watched: replaced };
  }
  return compared?.passed === false
    ? { kind: "check_failed", earlierId, watched, comparison: compared }
    : { ...result, comparison: compared };
}

/** @throws ActionError that names `revision_id` if the platform knows no such revision */
async function readWanted(
  controlPlane: ControlPlane,
  history: DeploymentHistory,
  revisionId: string,
): Promise<Revision> {
  try {
    return await readRevision(controlPlane, history, revisionId);
  } catch (error) {
    if (!isUnknownId(error)) throw error;
    const hint = text`Check ${input("revision_id")}: it must be a revision of this deployment. Without it, the revision that was live before is taken.`;
    throw new ActionError(error.text, { code: error.code, hint, problems: error.problems, cause: error });
  }
}

async function startRollback(
  job: RevisionJob,
  earlier: Revision,
  history: DeploymentHistory & RevisionList,
): Promise<Redeployed | NotRedeployable> {
  const { report } = job;
  const { deployment } = history;
  const replaced = replacedRevision(earlier, history);
  const from = replaced === undefined ? undefined : text` from revision ${id(replaced.id)}`;
  report.info(text`Rolling back deployment ${code(deployment.id)}${from} to revision ${id(earlier.id)}.`);
  const result = await redeploy(job, {
    earlier,
    deployment,
    baseline: revisionBaseline(history, deployment),
    replacedSource: replaced?.source ?? {},
  });
  // What is redeployed is usually not built again, so the typical duration does not apply.
  if (result.kind === "redeployed") {
    report.revision(result.run.revisionId, { typicalMs: undefined, isResumed: false });
  }
  return result;
}

/**
 * `rollback_on_failure`: deploys again what was live before, and waits for it for another `timeout_seconds`
 * (docs/specification.md#rollback). `watched`: how the watch of this run's revision ended.
 *
 * @throws the reason of a cancellation.
 */
export async function rollBackAfter(
  job: DeployJob,
  run: RunRevision,
  { revision }: WatchResult,
): Promise<RollbackAfterFailure> {
  const wasDeployed = revision?.status.kind === "deployed";
  const { settings, options, report, cancelled } = job;
  const rollbackJob = platformJob(job, settings, options.timeoutMs);
  const rollback = await report.during(text`still rolling back`, async (): Promise<RollbackAfterFailure> => {
    const result = await toResult(() => redeployPrevious(rollbackJob, run, wasDeployed), cancelled);
    if ("value" in result) return result.value;
    return { kind: "error", error: result.error, live: await readLiveNow(rollbackJob, run.deploymentId) };
  });
  report.setFacts({ unfinishedWork: undefined });
  return rollback;
}

/** What was live before this run is known already: the list only shows what is newer than its revision. */
const firstPageIsEnough = () => true;

async function redeployPrevious(
  job: DeployJob,
  run: RunRevision,
  wasDeployed: boolean,
): Promise<RollbackAfterFailure> {
  const { controlPlane, plan, report } = job;
  const { deploymentId } = run;
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  const list = await controlPlane.listRevisionsUntil(deploymentId, firstPageIsEnough);
  const history = { deployment, listed: list.listed };
  const decision = decideRollback(run, wasDeployed, history);
  if (decision.kind === "left") return decision;
  const earlier = await readRevision(controlPlane, history, decision.revisionId);
  const baseline = revisionBaseline(list, deployment);
  const live = () => readLiveNow(job, deploymentId);
  const result = await redeployAndWatch(job, {
    earlier,
    deployment,
    // The list may lag.
    baseline: { ...baseline, ids: new Set([...baseline.ids, run.revisionId.toLowerCase()]) },
    replacedSource: plan.source,
  });
  if (result.kind === "not_redeployable") return { ...result, live: await live() };
  const { revisionId, watched } = result;
  const earlierId = earlier.id;
  if (watched.kind !== "live") return { kind: "failed", earlierId, redeployed: watched, live: await live() };
  report.setFacts({ rolledBackTo: earlierId });
  return { kind: "rolled_back", earlierId, revisionId, live: await live() };
}

async function redeployAndWatch(job: DeployJob, redeployment: Redeployment) {
  const { report } = job;
  const { earlier, deployment } = redeployment;
  report.info(text`Rolling back to revision ${id(earlier.id)}, which was live before.`);
  const unfinished = { kind: "rollback", deploymentId: deployment.id, earlierId: earlier.id } as const;
  report.setFacts({ unfinishedWork: unfinished });
  // Only this run's own revision has its log shown, or is interrupted.
  const options = { ...job.options, buildLog: "off", interruptOnCancel: false } as const;
  const rollbackJob = { ...job, options, report: report.forRollback(earlier.id) };
  const redeployed = await redeploy(rollbackJob, redeployment);
  if (redeployed.kind === "not_redeployable") return redeployed;
  const { revisionId } = redeployed.run;
  report.setFacts({ unfinishedWork: { ...unfinished, revisionId } });
  return {
    kind: "watched",
    revisionId,
    watched: await watchRedeployed(rollbackJob, redeployed.run, earlier),
  } as const;
}
