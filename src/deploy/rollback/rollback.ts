import { ActionError } from "../../errors.ts";
import type { AgentInputs, CompareInputs } from "../../inputs/checks.ts";
import type { ControlPlane, RevisionList } from "../../platform/control-plane.ts";
import { isBeingDeleted, type Revision } from "../../platform/deployment.ts";
import { isUnknownId } from "../../platform/error-kinds.ts";
import type { NotRedeployable, RollbackActionResult } from "../../results/rollback.ts";
import type { WatchResultOf } from "../../results/watch.ts";
import { code, id, input, text } from "../../text/message.ts";
import { beingDeletedError } from "../apply/find-deployment.ts";
import { findStartedRevision, reportStarted } from "../apply/resume.ts";
import { type RunRevision, revisionBaseline } from "../apply/revision-history.ts";
import { connectAgent } from "../checks/agent-client.ts";
import { performChecks } from "../checks/check.ts";
import { readAfterwards } from "../checks/checks.ts";
import { comparisonCheck } from "../compare/compare.ts";
import { type ComparedWith, readPrevious } from "../compare/compared-with.ts";
import type { RevisionJob } from "../job.ts";
import { reportUnwatched } from "../watch/watch.ts";
import {
  checkWasDeployed,
  type DeploymentHistory,
  decidesRollback,
  findUndone,
  previousRevision,
  readRevision,
  replacedRevision,
  staysLive,
} from "./earlier-revision.ts";
import { type Redeployed, redeploy, reportLiveNow, watchRedeployed } from "./redeploy.ts";

/** What the rollback action works with. */
export interface RollbackJob extends RevisionJob {
  readonly deploymentId: string;
  /** The revision to go back to. Undefined: the one that was live before. */
  readonly wantedId: string | undefined;
  /** Undefined: what is served afterwards is not compared with what was served before. */
  readonly compare: CompareInputs | undefined;
  readonly agent: AgentInputs;
}

/**
 * The story of the rollback action: makes an earlier revision the live one again and waits for it
 * (docs/specification.md#rollback).
 *
 * @throws ActionError if there is nothing to go back to, and the errors of `redeploy` and `watch`.
 */
export async function rollBack(job: RollbackJob): Promise<RollbackActionResult> {
  const result = await finish(job, await begin(job));
  if ("earlierId" in result && result.kind !== "not_redeployable") {
    job.report.setFacts({ rolledBackTo: result.earlierId });
  }
  return result;
}

/** What a rollback has done before there is anything to wait for. */
type BegunRollback =
  | StartedRollback
  | NotRedeployable
  | { readonly kind: "already_live"; readonly earlierId: string };

/** A revision that deploys `earlier` again, made by this run, or by an earlier attempt or step of it. */
interface StartedRollback {
  readonly kind: "revision";
  readonly earlier: Revision;
  readonly run: RunRevision;
  readonly comparedWith: ComparedWith | undefined;
}

async function begin(job: RollbackJob): Promise<BegunRollback> {
  const { wantedId, compare, agent } = job;
  const started = await findStartedRevision(job, ["pending", "deployed"]);
  if (started !== undefined) {
    const { record, revision: run } = started;
    const { earlier, history } = await chooseEarlier(job, record.payload.rolled_back_to ?? wantedId);
    reportStarted(job, started);
    const comparedWith = compare && (await readPrevious(job, agent, history.deployment, run));
    return { kind: "revision", earlier, run, comparedWith };
  }
  const first = await chooseEarlier(job, wantedId);
  if (staysLive(first.earlier, first.history)) return { kind: "already_live", earlierId: first.earlier.id };
  const comparedWith = compare && (await readPrevious(job, agent, first.history.deployment, undefined));
  // Another run may have made a revision live while the agent was read.
  const { earlier, history } = compare === undefined ? first : await chooseEarlier(job, wantedId);
  if (staysLive(earlier, history)) return { kind: "already_live", earlierId: earlier.id };
  if (wantedId === undefined) warnIfUndone(job, earlier, history);
  const redeployed = await startRollback(job, earlier, history);
  if (redeployed.kind === "not_redeployable") return redeployed;
  return { kind: "revision", earlier, run: redeployed.run, comparedWith };
}

/** Waits for the new revision, and compares what it serves. */
async function finish(job: RollbackJob, begun: BegunRollback): Promise<RollbackActionResult> {
  if (begun.kind !== "revision") return begun;
  const { run, earlier } = begun;
  const earlierId = earlier.id;
  if (!job.options.wait) {
    reportUnwatched(job, run);
    return { kind: "started", earlierId, revisionId: run.revisionId };
  }
  const watched = await watchRedeployed(job, run, earlier);
  if (watched.kind === "live") return await compareRolledBack(job, begun, watched);
  if (watched.kind !== "replaced") {
    return { kind: "failed", watched, live: await reportLiveNow(job, run.deploymentId) };
  }
  // The newer revision would be compared in place of this run's.
  return { kind: begun.comparedWith ? "not_checked" : "rolled_back", earlierId, watched };
}

/** Compares what is served now with what was served before. */
async function compareRolledBack(
  job: RollbackJob,
  { earlier, run, comparedWith }: StartedRollback,
  watched: WatchResultOf<"live">,
): Promise<RollbackActionResult> {
  const { compare } = job;
  const earlierId = earlier.id;
  if (compare === undefined || comparedWith === undefined) return { kind: "rolled_back", earlierId, watched };
  const agent = connectAgent(watched.url, job.agent, job.cancelled);
  const { liveBefore } = run;
  const check = comparisonCheck(job, { compare, comparedWith, liveBefore, agent });
  const [comparison] = await performChecks(job, [() => [check]]);
  const { revision, repoUrl } = watched;
  const afterwards = await readAfterwards(job, run, revision);
  if (afterwards?.kind === "replaced") {
    return { kind: "not_checked", earlierId, watched: { ...afterwards, revision, repoUrl } };
  }
  if (afterwards !== undefined) {
    const ended = { ...afterwards, revision };
    return { kind: "failed", watched: ended, live: await reportLiveNow(job, run.deploymentId) };
  }
  return comparison?.passed === false
    ? { kind: "check_failed", earlierId, watched, comparison }
    : { kind: "rolled_back", earlierId, watched, comparison };
}

function warnIfUndone({ report }: RollbackJob, earlier: Revision, history: DeploymentHistory): void {
  const undone = findUndone(earlier, history);
  if (undone === undefined) return;
  report.warning(
    text`This rollback makes revision ${id(earlier.id)} live again, which an earlier rollback to ${id(undone.id)} replaced. To choose a different revision, set ${input("revision_id")}.`,
  );
}

interface ChosenRevision {
  readonly earlier: Revision;
  /** What it was chosen by. */
  readonly history: DeploymentHistory & RevisionList;
}

/** The revision to go back to, by the deployment as it is now. @throws ActionError if there is none */
async function chooseEarlier(
  { controlPlane, report, deploymentId }: RollbackJob,
  wantedId: string | undefined,
): Promise<ChosenRevision> {
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  if (isBeingDeleted(deployment)) throw beingDeletedError(deployment);
  const isEnough = (listed: readonly Revision[]) => decidesRollback({ deployment, listed }, wantedId);
  const list = await controlPlane.listRevisionsUntil(deploymentId, isEnough);
  const history = { deployment, ...list };
  const earlier =
    wantedId === undefined ? previousRevision(history) : await readWanted(controlPlane, history, wantedId);
  checkWasDeployed(earlier);
  report.setFacts({ rollbackTarget: earlier.id });
  return { earlier, history };
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
    const hint = text`Check ${input("revision_id")}: it must be the full ID of a revision of this deployment, not of another one, such as staging. It is in the job summary of the deploy that created the revision.`;
    throw new ActionError(error.text, { code: error.code, hint, problems: error.problems, cause: error });
  }
}

async function startRollback(
  job: RollbackJob,
  earlier: Revision,
  history: DeploymentHistory & RevisionList,
): Promise<Redeployed | NotRedeployable> {
  const { report } = job;
  const { deployment } = history;
  const replaced = replacedRevision(earlier, history);
  const from = replaced === undefined ? undefined : text` from revision ${id(replaced.id)}`;
  report.info(text`Rolling back deployment ${code(deployment.id)}${from} to revision ${id(earlier.id)}.`);
  report.setFacts({ previousRevisionId: replaced?.id });
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
