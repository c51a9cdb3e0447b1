import { ActionError, toError } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../../platform/control-plane.ts";
import { isUnsupported, mayHaveTakenEffect } from "../../platform/error-kinds.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";

/**
 * In milliseconds, for each of at most two requests. The runner kills a step 10 s after its first signal, and GitHub's
 * record and comment still have to be written
 * (https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs).
 */
const maxRequestMs = 1200;

/** `on_cancel: interrupt`: stops this run's revision after a cancellation, and reports what came of it. */
export async function interruptRevision(
  { deploymentId, revisionId }: AppliedRevision,
  settings: ControlPlaneSettings,
  context: RunContext,
): Promise<void> {
  const revision = `Revision ${revisionId} of deployment ${deploymentId}`;
  // The run's own signal is aborted, and would end these requests before they start.
  const cancelled = new AbortController().signal;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, maxRequestMs);
  const controlPlane = new ControlPlane(
    { ...settings, requestTimeoutMs },
    { ...context, cancelled },
    singleAttempt,
  );
  context.log.info(`Interrupting revision ${revisionId} (on_cancel: interrupt).`);
  let leftover = `${revision} was interrupted (on_cancel: interrupt).`;
  try {
    await controlPlane.interruptRevision(deploymentId, revisionId);
  } catch (error) {
    leftover = describeFailure(revision, error);
  }
  await context.emit({ kind: "leftover_changed", leftover });
}

function describeFailure(revision: string, error: unknown): string {
  const { message } = toError(error);
  if (isUnsupported(error)) {
    return `${revision} is still running on the platform. This control plane can't interrupt it: ${message}`;
  }
  return error instanceof ActionError && !mayHaveTakenEffect(error)
    ? `${revision} is still running on the platform. It could not be interrupted: ${message}`
    : `${revision} may still be running on the platform. Could not confirm that it was interrupted: ${message}`;
}
