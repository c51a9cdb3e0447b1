import { Failure } from "../../errors.ts";
import type { ControlPlane, RevisionList } from "../../platform/control-plane.ts";
import { type Deployment, isBeingDeleted, type Revision } from "../../platform/deployment.ts";
import { isUnknownId } from "../../platform/error-kinds.ts";
import type { DeployResult } from "../../results/deploy.ts";
import type { NotRedeployable } from "../../results/rollback.ts";
import type { FailedRollback, RollbackActionResult } from "../../results/rollback-action.ts";
import type { WatchResult } from "../../results/watch.ts";
import { code, id, input, text } from "../../text/message.ts";
import { beingDeletedError } from "../apply/find-deployment.ts";
import { findStartedRevision, reportStarted } from "../apply/resume.ts";
import {
  adoptRevision,
  liveRevision,
  type RunRevision,
  revisionBaseline,
} from "../apply/revision-history.ts";
import { checkRevision } from "../check-revision.ts";
import { type ComparedWith, readPrevious } from "../compare/compared-with.ts";
import { conclude } from "../conclude.ts";
import type { CheckedJob } from "../job.ts";
import { reportUnwatched } from "../watch/watch.ts";
import {
  checkWasDeployed,
  currentRevision,
  type DeploymentHistory,
  findUndone,
  previousRevision,
  readRevision,
  replacedRevision,
  staysLive,
} from "./earlier-revision.ts";
import { type Redeployed, redeploy, reportLiveNow, watchRedeployed } from "./redeploy.ts";

/** What the rollback action works with. */
export interface RollbackJob extends CheckedJob {
  readonly deploymentId: string;
  /** The revision to go back to. Undefined: the one that was live before. */
  readonly wantedId: string | undefined;
}

/**
 * The story of the rollback action: makes an earlier revision the live one again, waits for it and checks it
 * (docs/specification.md#rollback).
 *
 * @throws Failure if there is nothing to go back to, and the errors of `redeploy` and `watch`.
 */
export async function rollBack(job: RollbackJob): Promise<RollbackActionResult> {
  const result = await finish(job, await begin(job));
  if ("earlierId" in result && result.kind !== "not_redeployable") {
    job.report.setFacts({ rolledBackTo: result.earlierId });
  }
  return result;
}

/** What a rollback has done before there is anything to wait for. */
type BegunRollback = StartedRollback | LiveAlready | NotRedeployable;

/** A revision that deploys `earlier` again, made by this run, or by an earlier attempt or step of it. */
interface StartedRollback {
  readonly kind: "revision";
  readonly earlier: Revision;
  readonly run: RunRevision;
  readonly comparedWith: ComparedWith | undefined;
  readonly mayBeBad: boolean;
}

/** The revision to go back to is live, so there is nothing to do but to check it. */
interface LiveAlready {
  readonly kind: "already_live";
  readonly earlier: Revision;
  readonly history: DeploymentHistory;
}

async function begin(job: RollbackJob): Promise<BegunRollback> {
  const { wantedId } = job;
  const { checks } = job.options;
  const readCompared = async (deployment: Deployment, resumed?: RunRevision) =>
    checks.compare && (await readPrevious(job, checks, deployment, resumed));
  const started = await findStartedRevision(job, ["pending", "deployed"]);
  if (started !== undefined) {
    const { record, revision: run } = started;
    const { earlier, history } = await chooseEarlier(job, record.payload.rolled_back_to ?? wantedId);
    reportStarted(job, started);
    const comparedWith = await readCompared(history.deployment, run);
    return { kind: "revision", earlier, run, comparedWith, mayBeBad: false };
  }
  const first = await chooseEarlier(job, wantedId);
  if (staysLive(first.earlier, first.history)) return { kind: "already_live", ...first };
  const comparedWith = await readCompared(first.history.deployment);
  // Another run may have made a revision live while the agent was read.
  const { earlier, history } = comparedWith === undefined ? first : await chooseEarlier(job, wantedId);
  if (staysLive(earlier, history)) return { kind: "already_live", earlier, history };
  const undone = wantedId === undefined ? findUndone(earlier, history) : undefined;
  if (undone !== undefined) warnOfUndone(job, earlier, undone);
  const redeployed = await startRollback(job, earlier, history);
  if (redeployed.kind === "not_redeployable") return redeployed;
  return {
    kind: "revision",
    earlier,
    run: redeployed.run,
    comparedWith,
    mayBeBad: undone !== undefined,
  };
}

/** Waits for the new revision, and checks it. */
async function finish(job: RollbackJob, begun: BegunRollback): Promise<RollbackActionResult> {
  switch (begun.kind) {
    case "not_redeployable":
      return begun;
    case "already_live":
      return await checkLive(job, begun);
    case "revision":
      return await watchAndCheck(job, begun);
  }
}

async function watchAndCheck(
  job: RollbackJob,
  { earlier, run, comparedWith, mayBeBad }: StartedRollback,
): Promise<RollbackActionResult> {
  const { options } = job;
  if (!options.wait) {
    reportUnwatched(job, run);
    return { kind: "started", earlierId: earlier.id, mayBeBad, revisionId: run.revisionId };
  }
  const watched = await watchRedeployed(job, run, earlier);
  const failed = async (ended: FailedRollback): Promise<RollbackActionResult> => ({
    kind: "failed",
    ended,
    live: await reportLiveNow(job, run.deploymentId),
  });
  if (watched.kind === "other_commit") return await failed(watched);
  const ended = await check(job, run, watched, comparedWith);
  if (ended.kind === "not_deployed" || ended.kind === "deleted_during_checks") return await failed(ended);
  return { kind: "rolled_back", earlierId: earlier.id, mayBeBad, ended };
}

async function checkLive(
  job: RollbackJob,
  { earlier, history: { deployment, listed } }: LiveAlready,
): Promise<RollbackActionResult> {
  const { id: deploymentId, url, repoUrl } = deployment;
  const run = {
    ...adoptRevision(deploymentId, earlier, listed, job.clock.now()),
    liveBefore: liveRevision(deployment, listed),
  };
  const watched = { kind: "live", revision: earlier, url, repoUrl } as const;
  const ended = job.options.wait ? await check(job, run, watched, undefined) : undefined;
  return { kind: "already_live", earlierId: earlier.id, ended };
}

/** Says how the rollback ended, by the checks too if the revision is live. */
async function check(
  job: RollbackJob,
  run: RunRevision,
  watched: WatchResult,
  comparedWith: ComparedWith | undefined,
): Promise<DeployResult> {
  const checks = await checkRevision(job, run, watched, { comparedWith });
  return conclude(job.options, { watched, checks });
}

/** Says that an earlier rollback replaced `earlier`; that one went back to `undone`. */
function warnOfUndone({ report }: RollbackJob, earlier: Revision, undone: Revision): void {
  report.warning(
    text`This rollback makes revision ${id(earlier.id)} live again. An earlier rollback, to ${id(undone.id)}, replaced it, so it may be the bad version. To choose another revision, set ${input("revision_id")}.`,
  );
}

interface ChosenRevision {
  readonly earlier: Revision;
  /** What it was chosen by. */
  readonly history: DeploymentHistory & RevisionList;
}

/** The revision to go back to, by the deployment as it is now. @throws Failure if there is none */
async function chooseEarlier(
  { controlPlane, report, deploymentId }: RollbackJob,
  wantedId: string | undefined,
): Promise<ChosenRevision> {
  const deployment = await controlPlane.getDeployment(deploymentId);
  report.deployment(deployment);
  if (isBeingDeleted(deployment)) throw beingDeletedError(deployment);
  const history = { deployment, ...(await controlPlane.listRevisions(deploymentId)) };
  const earlier =
    wantedId === undefined ? previousRevision(history) : await readWanted(controlPlane, history, wantedId);
  checkWasDeployed(earlier);
  report.setFacts({ rollbackTarget: earlier.id });
  return { earlier, history };
}

/** @throws Failure that names `revision_id` if the platform knows no such revision */
async function readWanted(
  controlPlane: ControlPlane,
  history: DeploymentHistory,
  revisionId: string,
): Promise<Revision> {
  try {
    return await readRevision(controlPlane, history, revisionId);
  } catch (error) {
    if (!isUnknownId(error)) throw error;
    const hint = text`Check ${input("revision_id")}: it must be the full ID of a revision of this deployment, not of another one, such as staging. It is in the job summary of the deploy that created the revision, and in the list of revisions on the platform.`;
    throw new Failure(error.ending.message, { hint, problems: error.ending.problems, cause: error });
  }
}

async function startRollback(
  job: RollbackJob,
  earlier: Revision,
  history: DeploymentHistory & RevisionList,
): Promise<Redeployed | NotRedeployable> {
  const { report } = job;
  const { deployment } = history;
  const live = currentRevision(history);
  const replaced = replacedRevision(earlier, history);
  if (live !== undefined && replaced !== undefined && live !== replaced) {
    report.info(
      text`Revision ${id(live.id)} is live, but the newer revision ${id(replaced.id)} may replace it.`,
    );
  }
  const from = replaced === undefined ? undefined : text` from revision ${id(replaced.id)}`;
  report.info(text`Rolling back deployment ${code(deployment.id)}${from} to revision ${id(earlier.id)}.`);
  report.setFacts({ previousRevisionId: live?.id });
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
