import { Failure, toError, toResult } from "../errors.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { code, id, type Message, quote, text } from "../text/message.ts";
import { findSecondNew } from "./identify-revision.ts";
import type { RevisionJob } from "./job.ts";
import type { RunRevision } from "./run-revision.ts";

/**
 * In milliseconds, for each of at most three requests. The runner kills a step 10 s after its first signal, and GitHub's
 * record and comment still have to be written
 * (https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs).
 */
const maxRequestMs = 1200;

/** `on_cancel: interrupt`: stops this run's revision after a cancellation, and reports what came of it. */
export async function interruptRevision(
  { controlPlane, report }: RevisionJob,
  run: RunRevision,
): Promise<void> {
  const { deploymentId, revisionId } = run;
  // The run's own signal is aborted, and would end these requests before they start.
  const inTime = controlPlane.once({ maxRequestMs, cancelled: new AbortController().signal });
  const revision = text`Revision ${id(revisionId)} of deployment ${code(deploymentId)}`;
  if (!run.isCertain && (await mayBeAnothers(inTime, run))) {
    const left = text`${revision} is still running on the platform. It was not interrupted, because it may be another run's.`;
    return report.set({ left });
  }
  report.info(text`Interrupting revision ${id(revisionId)} (${interruptOption}).`);
  report.set({ left: await interrupt(inTime, { deploymentId, revisionId }, revision) });
}

/** Whether a second new revision is listed, or whether that can't be read. */
async function mayBeAnothers(controlPlane: ControlPlane, run: RunRevision): Promise<boolean> {
  const listed = await toResult(() => controlPlane.listRevisions(run.deploymentId));
  return "error" in listed || findSecondNew(run, listed.value) !== undefined;
}

const interruptOption = code("on_cancel: interrupt");

/** What came of it, as sentences. `revision`: its subject. */
async function interrupt(
  controlPlane: ControlPlane,
  { deploymentId, revisionId }: Pick<RunRevision, "deploymentId" | "revisionId">,
  revision: Message,
): Promise<Message> {
  try {
    await controlPlane.interruptRevision(deploymentId, revisionId);
    return text`${revision} was interrupted (${interruptOption}).`;
  } catch (thrown) {
    const error = toError(thrown);
    const reason = error instanceof Failure ? error.ending.message : text`${quote(error.message)}.`;
    return mayHaveTakenEffect(error)
      ? text`${revision} may still be running on the platform. Could not confirm that it was interrupted: ${reason}`
      : text`${revision} is still running on the platform. It could not be interrupted: ${reason}`;
  }
}
