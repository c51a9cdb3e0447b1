import { ActionError, toResult } from "../../errors.ts";
import type { AgentInputs, CompareInputs } from "../../inputs/checks.ts";
import type { ControlPlane, RevisionList } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isUnknownId } from "../../platform/error-kinds.ts";
import type { NotRedeployable, RollbackActionResult, RollbackAfterFailure } from "../../results/rollback.ts";
import type { WatchResult } from "../../results/watch.ts";
import { code, id, input, text } from "../../text/message.ts";
import { requireNotBeingDeleted } from "../apply/find-deployment.ts";
import { reportResumed } from "../apply/resume.ts";
import { type RunRevision, revisionBaseline } from "../apply/revision-history.ts";
import { connectAgent } from "../checks/agent-client.ts";
import { performCheck } from "../checks/check.ts";
import { readAfterwards } from "../checks/checks.ts";
import { type Comparison, comparisonCheck } from "../compare/compare.ts";
import { type ComparedWith, readPrevious } from "../compare/compared-with.ts";
import { type DeployJob, platformJob, type RevisionJob } from "../job.ts";
import { type Redeployed, type Redeployment, redeploy, reportLiveNow, watchRedeployed } from "./redeploy.ts";
import {
  checkWasDeployed,
  type DeploymentHistory,
  decideRollback,
  decidesRollback,
  findUndone,
  previousRevision,
  readRevision,
  replacedRevision,
  staysLive,
} from "./target.ts";

/** What the rollback action goes back to. */
interface RollbackTarget {
  readonly deploymentId: string;
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
  const { resumed, compare, agent } = target;
  const first = await chooseTarget(job, target);
  if (resumed !== undefined) {
    const { earlier, history } = first;
    reportResumed(job, resumed);
    const comparedWith = compare && (await readPrevious(job, agent, history.deployment, resumed));
    return await finish(job, target, { earlier, run: resumed, comparedWith });
  }
  if (staysLive(first.earlier, first.history)) return alreadyLive(job, first.earlier);
  const comparedWith = compare && (await readPrevious(job, agent, first.history.deployment, resumed));
  // Another run may have made a revision live while the agent was read.
  const { earlier, history } = compare === undefined ? first : await chooseTarget(job, target);
  if (staysLive(earlier, history)) return alreadyLive(job, earlier);
  if (target.revisionId === undefined) warnIfUndone(job, earlier, history);
  const started = await startRollback(job, earlier, history);
  if (started.kind === "not_redeployable") return started;
  return await finish(job, target, { earlier, run: started.run, comparedWith });
}

interface StartedRollback {
  readonly earlier: Revision;
  readonly run: RunRevision;
  readonly comparedWith: ComparedWith | undefined;
}

/** Waits for the new revision, and compares what it serves. */
async function finish(
  job: RevisionJob,
  { compare, agent }: RollbackTarget,
  { earlier, run, comparedWith }: StartedRollback,
): Promise<RollbackActionResult> {
  const { report, options } = job;
  const earlierId = earlier.id;
  if (!options.wait) {
    if (run.shown !== undefined) report.polled(run.shown);
    report.setFacts({ rolledBackTo: earlierId });
    return { kind: "started", earlierId, revisionId: run.revisionId };
  }
  const watched = await watchRedeployed(job, run, earlier);
  if (watched.kind === "live" || watched.kind === "replaced") {
    report.setFacts({ rolledBackTo: earlierId });
    const result = { kind: "rolled_back", earlierId, watched } as const;
    if (compare === undefined || comparedWith === undefined) return result;
    return await compareRolledBack(job, { agent, run }, { compare, comparedWith }, result);
  }
  return { kind: "failed", watched, live: await reportLiveNow(job, run.deploymentId) };
}

function warnIfUndone({ report }: RevisionJob, earlier: Revision, history: DeploymentHistory): void {
  const undone = findUndone(earlier, history);
  if (undone === undefined) return;
  report.warning(
    text`Revision ${id(earlier.id)}, which is made live again, was live before a rollback to ${id(undone.id)}. Set ${input("revision_id")} to choose a different revision.`,
  );
}

function alreadyLive({ report }: RevisionJob, { id: earlierId }: Revision): RollbackActionResult {
  report.setFacts({ rolledBackTo: earlierId });
  return { kind: "already_live", earlierId };
}

interface ChosenTarget {
  readonly earlier: Revision;
  /** What it was chosen by. */
  readonly history: DeploymentHistory & RevisionList;
}

/** The revision to go back to, by the deployment as it is now. @throws ActionError if there is none */
async function chooseTarget(
  { controlPlane, report }: RevisionJob,
  { deploymentId, revisionId: wantedId }: RollbackTarget,
): Promise<ChosenTarget> {
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  requireNotBeingDeleted(deployment);
  const isEnough = (listed: readonly Revision[]) => decidesRollback({ deployment, listed }, wantedId);
  const list = await controlPlane.listRevisionsUntil(deploymentId, isEnough);
  const history = { deployment, ...list };
  const earlier =
    wantedId === undefined ? previousRevision(history) : await readWanted(controlPlane, history, wantedId);
  checkWasDeployed(earlier);
  report.setFacts({ rollbackTarget: earlier.id });
  return { earlier, history };
}

type RolledBack = Extract<RollbackActionResult, { kind: "rolled_back" }>;

/** Compares what is served now with what was served before. A newer revision would be compared in place of this run's. */
async function compareRolledBack(
  job: RevisionJob,
  { agent, run }: Pick<RollbackTarget, "agent"> & { readonly run: RunRevision },
  comparison: Omit<Comparison, "agent" | "liveBefore">,
  result: RolledBack,
): Promise<RollbackActionResult> {
  const { earlierId, watched } = result;
  if (watched.kind === "replaced") return { kind: "not_checked", earlierId, watched };
  const live = connectAgent(watched.url, agent, job.cancelled);
  const { liveBefore } = run;
  const check = comparisonCheck(job, { ...comparison, liveBefore, agent: live });
  const compared = await performCheck(job, check);
  job.report.checksEnded();
  const { revision, repoUrl } = watched;
  const afterwards = await readAfterwards(job, run, revision);
  if (afterwards?.kind === "replaced") {
    return { kind: "not_checked", earlierId, watched: { ...afterwards, revision, repoUrl } };
  }
  if (afterwards !== undefined) {
    job.report.setFacts({ rolledBackTo: undefined });
    const ended = { ...afterwards, revision };
    return { kind: "failed", watched: ended, live: await reportLiveNow(job, run.deploymentId) };
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
    const hint = text`Check ${input("revision_id")}: it must be the full ID of a revision of this deployment. The job summary of the deploy that made it shows it.`;
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
    return { kind: "error", error: result.error, live: await reportLiveNow(rollbackJob, run.deploymentId) };
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
  const live = () => reportLiveNow(job, deploymentId);
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
