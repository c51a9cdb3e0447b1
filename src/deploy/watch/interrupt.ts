import { Failure, toError } from "../../errors.ts";
import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane } from "../../platform/control-plane.ts";
import { isUnsupported, mayHaveTakenEffect } from "../../platform/error-kinds.ts";
import { interruptOption } from "../../report/sentences/unfinished-work.ts";
import type { InterruptResult } from "../../results/watch.ts";
import { id, text } from "../../text/message.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { RevisionJob } from "../job.ts";

/**
 * In milliseconds, for each of at most two requests. The runner kills a step 10 s after its first signal, and GitHub's
 * record and comment still have to be written
 * (https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs).
 */
const maxRequestMs = 1200;

/** `on_cancel: interrupt`: stops this run's revision after a cancellation, and reports what came of it. */
export async function interruptRevision(
  { settings, ...context }: RevisionJob,
  { deploymentId, revisionId }: RunRevision,
): Promise<void> {
  const { report } = context;
  // The run's own signal is aborted, and would end these requests before they start.
  const cancelled = new AbortController().signal;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, maxRequestMs);
  const controlPlane = new ControlPlane(
    { ...settings, requestTimeoutMs },
    { ...context, cancelled },
    singleAttempt,
  );
  report.info(text`Interrupting revision ${id(revisionId)} (${interruptOption}).`);
  const result = await sendInterrupt(controlPlane, deploymentId, revisionId);
  report.setFacts({ unfinishedWork: { kind: "interrupt", result, deploymentId, revisionId } });
}

async function sendInterrupt(
  controlPlane: ControlPlane,
  deploymentId: string,
  revisionId: string,
): Promise<InterruptResult> {
  try {
    await controlPlane.interruptRevision(deploymentId, revisionId);
    return { kind: "interrupted" };
  } catch (thrown) {
    const error = toError(thrown);
    if (isUnsupported(error)) return { kind: "unsupported", error };
    const isRejected = error instanceof Failure && !mayHaveTakenEffect(error);
    return { kind: isRejected ? "rejected" : "unconfirmed", error };
  }
}
