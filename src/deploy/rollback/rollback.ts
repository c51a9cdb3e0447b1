import type { Ending } from "../../ending.ts";
import { ActionError } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { ResponseError } from "../../http/response-error.ts";
import type { RollbackInputs } from "../../inputs/rollback.ts";
import type { ControlPlane, RevisionList } from "../../platform/control-plane.ts";
import type { Deployment, Revision } from "../../platform/deployment.ts";
import { type AppliedRevision, knownRevisions } from "../apply/match-revision.ts";
import { type ResumedRevision, reportResumed } from "../apply/resume.ts";
import { explainFailure } from "../watch/explain-failure.ts";
import { newerLiveId } from "../watch/watch.ts";
import { type DeploymentHistory, readRevision } from "./deployment-history.ts";
import { redeploy } from "./redeploy.ts";
import {
  checkWasDeployed,
  decidesRollback,
  previousRevision,
  replacedRevision,
  staysLive,
} from "./target.ts";
import { describeLive, watchRedeployed } from "./watch-redeployed.ts";

/**
 * Makes an earlier revision the live one again and waits for it (docs/specification.md#rollback). `resumed`: what an
 * earlier attempt or step of this run started.
 *
 * @throws ActionError if there is nothing to go back to or the platform can't, and the errors of `redeploy` and
 *   `watchRevision`.
 */
export async function rollBack(
  deployment: Deployment,
  inputs: RollbackInputs,
  resumed: ResumedRevision | undefined,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Ending> {
  const { emit } = context;
  const wantedId = resumed?.record.payload.rolled_back_to ?? inputs.revisionId;
  const isEnough = (listed: readonly Revision[]) => decidesRollback({ deployment, listed }, wantedId);
  const history = { deployment, ...(await controlPlane.listRevisionsUntil(deployment.id, isEnough)) };
  const earlier =
    wantedId === undefined ? previousRevision(history) : await readWanted(wantedId, history, controlPlane);
  checkWasDeployed(earlier);
  await emit({ kind: "rollback_planned", revisionId: earlier.id });
  if (resumed === undefined && staysLive(earlier, history)) return await endAsLive(earlier, context);
  if (resumed !== undefined) await reportResumed(resumed.applied, context);
  const applied = resumed?.applied ?? (await start(earlier, history, controlPlane, context));
  return await finish(applied, earlier, inputs, controlPlane, context);
}

/** @throws ActionError that names `revision_id` if the platform knows no such revision */
async function readWanted(
  id: string,
  history: DeploymentHistory,
  controlPlane: ControlPlane,
): Promise<Revision> {
  try {
    return await readRevision(id, history, controlPlane);
  } catch (error) {
    if (!(error instanceof ResponseError && isAboutId(error.status))) throw error;
    const hint =
      "Check revision_id: it must be a revision of this deployment. Without it, the revision that was live before is taken.";
    throw new ActionError(error.message, { code: error.code, hint, findings: error.findings, cause: error });
  }
}

function isAboutId(status: number): boolean {
  return status === 400 || status === 404 || status === 422;
}

async function endAsLive({ id }: Revision, { emit, log }: RunContext): Promise<Ending> {
  const headline = `Revision ${id} is live already, so nothing was changed.`;
  log.notice(headline);
  await emit({ kind: "rolled_back", revisionId: id });
  return { outcome: "deployed", headline };
}

async function start(
  earlier: Revision,
  history: DeploymentHistory & RevisionList,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<AppliedRevision> {
  const { deployment } = history;
  const replaced = replacedRevision(earlier, history);
  const from = replaced === undefined ? "" : ` from revision ${replaced.id}`;
  context.log.info(`Rolling back deployment ${deployment.id}${from} to revision ${earlier.id}.`);
  const redeployment = {
    earlier,
    deployment,
    before: knownRevisions(history, deployment),
    replacedSource: replaced?.source ?? {},
  };
  const applied = await redeploy(redeployment, controlPlane, context);
  const { revisionId } = applied;
  // What is redeployed is usually not built again, so the typical duration does not apply.
  await context.emit({ kind: "revision_identified", revisionId, typicalMs: undefined, isResumed: false });
  return applied;
}

async function finish(
  applied: AppliedRevision,
  earlier: Revision,
  { controlPlane: settings, mode }: RollbackInputs,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Ending> {
  const { deploymentId, revisionId } = applied;
  const content = `Revision ${revisionId} has the content of revision ${earlier.id}.`;
  const rolledBack = { kind: "rolled_back", revisionId: earlier.id } as const;
  if (!mode.wait) {
    await context.emit(rolledBack);
    const headline = `Revision ${revisionId} was started. This run does not wait for it (wait: false).`;
    return { outcome: "started", headline, details: [content] };
  }
  const options = { timeoutMs: mode.timeoutMs, maxDelayMs: mode.pollIntervalMs };
  const watched = await watchRedeployed(applied, earlier, options, controlPlane, context);
  if (watched.ending.outcome === "deployed") {
    await context.emit(rolledBack);
    if (newerLiveId(watched) !== undefined) context.log.notice(watched.ending.headline);
    return { ...watched.ending, details: [content] };
  }
  const inputs = { controlPlane: settings, mode: { buildLog: "failure" } } as const;
  const ending = await explainFailure(watched, applied, inputs, undefined, context);
  const live = await describeLive(deploymentId, controlPlane, context);
  const hasFailed = watched.revision?.status.kind === "failed";
  return {
    ...ending,
    details: [...(ending.details ?? []), live],
    ...(hasFailed && { hint: "Read the revision's logs, or set revision_id to another revision." }),
  };
}
