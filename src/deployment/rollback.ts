import { type ActionError, bestEffort } from "../errors.ts";
import type { Emit, RunContext } from "../events.ts";
import { retryUntil } from "../http/retry.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { formatDuration } from "../text/format.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { type AppliedRevision, knownRevisions } from "./attribution.ts";
import type { PlannedDeployment } from "./planned-deployment.ts";
import { type Redeployment, redeploy } from "./redeploy.ts";
import { planRollback } from "./rollback-plan.ts";
import { type WatchResult, watchRevision } from "./watch.ts";

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
export async function rollBack(
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
  const listed = await controlPlane.listRevisions(deploymentId);
  const decision = planRollback({ applied, wasDeployed, deployment, listed });
  if (decision.kind === "leave") return [decision.why];
  const earlier =
    listed.find(({ id }) => id === decision.revisionId) ??
    (await controlPlane.getRevision(deploymentId, decision.revisionId));
  const shownIds = [deployment.latestRevisionId, deployment.activeRevisionId, applied.revisionId];
  const redeployment = {
    earlier,
    deployment,
    before: knownRevisions(listed, shownIds),
    failedSource: plan.source,
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
  options: { readonly timeoutMs: number; readonly maxDelayMs: number },
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
  return { revisionId, result: await watchRevision(again, options, controlPlane, own) };
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
function describeFailure({ ending, revision }: WatchResult, earlier: Revision): string | undefined {
  const target = `revision ${excerpt(earlier.id)}, which was live before,`;
  if (ending.outcome !== "deployed") {
    return [`The rollback to ${target} failed.`, ending.headline, ...(ending.details ?? [])].join(" ");
  }
  const [built, wanted] = [revision?.commitSha, earlier.commitSha];
  if (built === undefined || wanted === undefined || built === wanted) return undefined;
  return `The source of ${target} was deployed again, but from commit ${excerpt(built)} instead of ${excerpt(wanted)}.`;
}

async function describeLive(
  deploymentId: string,
  controlPlane: ControlPlane,
  { cancelled }: RunContext,
): Promise<string> {
  const read = await bestEffort(() => controlPlane.withoutRetry().getDeployment(deploymentId), cancelled);
  if ("error" in read) return `Could not read which revision is live now: ${read.error.message}`;
  const { activeRevisionId } = read.value;
  return typeof activeRevisionId === "string"
    ? `Revision ${excerpt(activeRevisionId)} is live now.`
    : "The platform does not show which revision is live now.";
}

function excerpt(id: string): string {
  return sanitizeExcerpt(id, 100);
}
