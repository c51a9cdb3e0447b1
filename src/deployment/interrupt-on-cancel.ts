import type { Context } from "../context.ts";
import { ActionError, toError } from "../errors.ts";
import { noRetry } from "../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../platform/control-plane.ts";
import { lacksEndpoint, mayHaveTakenEffect } from "../platform/failures.ts";
import type { Facts } from "../progress/facts.ts";
import { hasEnded, leftRunning } from "../report/left-running.ts";

/**
 * In milliseconds, for one request. At most two are sent, so that what follows a cancel, GitHub's part included, is
 * over long before the runner kills the step 10 s after its signal (field guide, 1).
 */
const requestMs = 1200;

/**
 * `on_cancel: interrupt`: the one write that is allowed after a cancel stops this run's revision. Answers with what
 * became of it, as a sentence; never rejects.
 */
export async function interruptOnCancel(
  facts: Facts,
  settings: ControlPlaneSettings,
  context: Context,
): Promise<string> {
  const { deploymentId, revisionId, writtenAt, unsettled, deleted } = facts;
  const left = leftRunning(facts);
  const isElsewhere = unsettled !== undefined || deleted.length > 0;
  if (isElsewhere || writtenAt === undefined || hasEnded(facts)) return left;
  if (deploymentId === undefined || revisionId === undefined) {
    return `${left} It could not be interrupted, because its id wasn't known yet.`;
  }
  const revision = `Revision ${revisionId} of deployment ${deploymentId}`;
  // The run's own signal is aborted, and would end these requests before they begin.
  const cancelled = new AbortController().signal;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, requestMs);
  const plane = new ControlPlane({ ...settings, requestTimeoutMs }, { ...context, cancelled }, noRetry);
  context.log.info(`Interrupting revision ${revisionId} (on_cancel: interrupt).`);
  try {
    await plane.interruptRevision(deploymentId, revisionId);
    return `${revision} was interrupted, as on_cancel asks for.`;
  } catch (error) {
    if (lacksEndpoint(error)) {
      return `${left} This control plane has no way to interrupt it, as on_cancel asks for: ${toError(error).message}`;
    }
    return error instanceof ActionError && !mayHaveTakenEffect(error)
      ? `${revision} could not be interrupted, as on_cancel asks for: ${error.message}`
      : `${revision} may go on on the platform: whether it was interrupted, as on_cancel asks for, isn't known. ${toError(error).message}`;
  }
}
