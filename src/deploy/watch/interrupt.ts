import { ActionError, toError } from "../../errors.ts";
import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane } from "../../platform/control-plane.ts";
import { isUnsupported, mayHaveTakenEffect } from "../../platform/error-kinds.ts";
import { code, id, type Message, quote, text } from "../../text/message.ts";
import type { RunRevision } from "../apply/match-revision.ts";
import type { RevisionJob } from "../job.ts";

/**
 * In milliseconds, for each of at most two requests. The runner kills a step 10 s after its first signal, and GitHub's
 * record and comment still have to be written
 * (https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs).
 */
const maxRequestMs = 1200;

const option = code("on_cancel: interrupt");

/** `on_cancel: interrupt`: stops this run's revision after a cancellation, and reports what came of it. */
export async function interruptRevision(
  { settings, ...context }: RevisionJob,
  { deploymentId, revisionId }: RunRevision,
): Promise<void> {
  const { report } = context;
  const revision = text`Revision ${id(revisionId)} of deployment ${code(deploymentId)}`;
  // The run's own signal is aborted, and would end these requests before they start.
  const cancelled = new AbortController().signal;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, maxRequestMs);
  const controlPlane = new ControlPlane(
    { ...settings, requestTimeoutMs },
    { ...context, cancelled },
    singleAttempt,
  );
  report.info(text`Interrupting revision ${id(revisionId)} (${option}).`);
  try {
    await controlPlane.interruptRevision(deploymentId, revisionId);
    report.unfinishedWork(text`${revision} was interrupted (${option}).`);
  } catch (error) {
    report.unfinishedWork(describeFailure(revision, error));
  }
}

function describeFailure(revision: Message, error: unknown): Message {
  const reason = error instanceof ActionError ? error.text : text`${quote(toError(error).message)}.`;
  if (isUnsupported(error)) {
    return text`${revision} is still running on the platform. This control plane can't interrupt it: ${reason}`;
  }
  return error instanceof ActionError && !mayHaveTakenEffect(error)
    ? text`${revision} is still running on the platform. It could not be interrupted: ${reason}`
    : text`${revision} may still be running on the platform. Could not confirm that it was interrupted: ${reason}`;
}
