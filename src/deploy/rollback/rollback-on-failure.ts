import { type ActionError, bestEffort } from "../../errors.ts";
import type { Emit, RunContext } from "../../events.ts";
import { retryUntil } from "../../http/retry.ts";
import { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { formatDuration } from "../../text/format.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { type AppliedRevision, knownRevisions } from "../apply/match-revision.ts";
import type { PlannedDeployment } from "../planned-deployment.ts";
import { newerLiveId, type WatchOptions, type WatchResult } from "../watch/watch.ts";
import { readRevision } from "./deployment-history.ts";
import { type Redeployment, redeploy } from "./redeploy.ts";
import { planRollback } from "./rollback-plan.ts";
import { describeLive, watchRedeployed } from "./watch-redeployed.ts";

/** This run's revision, which failed. */
export interface FailedRevision {
  readonly applied: AppliedRevision;
  /** Whether it was `DEPLOYED`. */
  readonly wasDeployed: boolean;
}

/**
 * `rollback_on_failure`: deploys again what was live before, and waits for it for another `timeout_seconds`
 * (docs/specification.md#rollback). Returns what was done and what is live now, as sentences.
 *
 * @throws the reason of a cancellation.
 */
export async function rollBackOnFailure(
  failed: FailedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<string[]> {
  const { controlPlane: settings, mode } = planned.inputs;
  const policy = retryUntil(context.clock.now() + mode.timeoutMs);
  const controlPlane = new ControlPlane(settings, context, policy);
  await context.emit({ kind: "stage_changed", stage: "still rolling back" });
  const result = await bestEffort(() => attempt(failed, planned, controlPlane, context), context.cancelled);
  const details =
    "value" in result
      ? result.value
      : [describeError(result.error), await describeLive(failed.applied.deploymentId, controlPlane, context)];
  await context.emit({ kind: "stage_changed", stage: undefined });
  await context.emit({ kind: "leftover_changed", leftover: undefined });
  return details;
}

function describeError({ code, message, hint }: ActionError): string {
  return code === "not_redeployable" ? `${message} ${hint}` : `The rollback failed: ${message} ${hint}`;
}

async function attempt(
  { applied, wasDeployed }: FailedRevision,
  { plan, inputs }: PlannedDeployment,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<string[]> {
  const { deploymentId } = applied;
  const deployment = await controlPlane.getDeployment(deploymentId);
  const list = await controlPlane.listRevisionsUntil(deploymentId, () => true);
  const { listed } = list;
  const decision = planRollback({ applied, wasDeployed, deployment, listed });
  if (decision.kind === "leave") return [decision.why];
  const earlier = await readRevision(decision.revisionId, { deployment, listed }, controlPlane);
  const before = knownRevisions(list, deployment);
  const redeployment = {
    earlier,
    deployment,
    // The list may lag.
    before: { ...before, ids: new Set([...before.ids, applied.revisionId.toLowerCase()]) },
    replacedSource: plan.source,
  };
  const options = { timeoutMs: inputs.mode.timeoutMs, maxDelayMs: inputs.mode.pollIntervalMs };
  const emit = rollbackEmit(earlier.id, applied.writtenAt, context);
  const again = await redeployAndWatch(redeployment, options, controlPlane, context, emit);
  const failure = describeFailure(again.result, earlier);
  if (failure === undefined) await context.emit({ kind: "rolled_back", revisionId: earlier.id });
  const outcome =
    failure ??
    `Rolled back: revision ${excerpt(earlier.id)}, which was live before, was deployed again as revision ${excerpt(again.revisionId)}.`;
  return [outcome, await describeLive(deploymentId, controlPlane, context)];
}

async function redeployAndWatch(
  redeployment: Redeployment,
  options: WatchOptions,
  controlPlane: ControlPlane,
  context: RunContext,
  emit: Emit,
): Promise<{ readonly revisionId: string; readonly result: WatchResult }> {
  const { earlier, deployment } = redeployment;
  context.log.info(`Rolling back to revision ${earlier.id}, which was live before.`);
  await context.emit({
    kind: "leftover_changed",
    leftover: `The rollback of deployment ${deployment.id} to revision ${earlier.id} may still be running on the platform.`,
  });
  const own = { ...context, emit };
  const again = await redeploy(redeployment, controlPlane, own);
  const { revisionId } = again;
  await context.emit({
    kind: "leftover_changed",
    leftover: `The rollback of deployment ${deployment.id} to revision ${earlier.id} is still running on the platform as revision ${revisionId}.`,
  });
  return { revisionId, result: await watchRedeployed(again, earlier, options, controlPlane, own) };
}

/** The outputs and the summary stay those of this run's own revision, so a rollback's events only move its stage. */
function rollbackEmit(earlierId: string, startedAt: number, { emit, log }: RunContext): Emit {
  return async (event) => {
    if (event.kind !== "status_changed") return;
    const status = event.status.raw;
    log.info(`[${formatDuration(event.at - startedAt)}] Rollback: ${status}`);
    await emit({ kind: "stage_changed", stage: `still rolling back to revision ${earlierId}: ${status}` });
  };
}

/** Why the content of the earlier revision is not live again, as sentences; undefined if it is. */
function describeFailure(result: WatchResult, { id }: Revision): string | undefined {
  const { ending } = result;
  if (ending.outcome === "deployed" && newerLiveId(result) === undefined) return undefined;
  const what = `The rollback to revision ${excerpt(id)}, which was live before, failed.`;
  return [what, ending.headline, ...(ending.details ?? [])].join(" ");
}

function excerpt(id: string): string {
  return sanitizeExcerpt(id, 100);
}
