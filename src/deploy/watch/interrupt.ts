import { toResult } from "../../errors.ts";
import { mayHaveTakenEffect } from "../../http/request-error.ts";
import { showsOtherContent } from "../../platform/compare-content.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { code, idText, type Message, phrase, text } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { findSecondCandidateFailure } from "../own-revision-rules.ts";
import { findById } from "../snapshot.ts";

/**
 * The time for each of at most three requests. The runner kills a step 10 s after its first signal, and the record and comment
 * on GitHub must be written in that time too
 * (https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs).
 */
const maxRequestMs = 1200;

/** `on_cancel: interrupt`: stops this run's revision after a cancellation, and reports the result. */
export async function interruptRevision(
  { controlPlane, report }: RevisionContext,
  ownRevision: OwnRevision,
): Promise<void> {
  // The run's own signal is aborted, and would end these requests before they start.
  const { signal: cancelled } = new AbortController();
  const limited = controlPlane.withLimits({ retryMs: 0, maxRequestMs, cancelled });
  const { deploymentId, revisionId } = ownRevision;
  const revision = phrase`Revision ${idText(revisionId)} of deployment ${code(deploymentId)}`;
  if (!ownRevision.isCertain && (await mayBeOfOtherRun(limited, ownRevision))) {
    const reason = text`It was not interrupted, because it may be another run's.`;
    return report.set({ interruption: text`${revision} is still running on the platform. ${reason}` });
  }
  report.info(text`Interrupting revision ${idText(revisionId)} (${interruptOption}).`);
  report.set({ interruption: text`${revision} ${await interrupt(limited, ownRevision)}` });
}

/** Returns whether the list can't be read, does not show this revision, or shows a second new one or another source. */
async function mayBeOfOtherRun(controlPlane: ControlPlane, ownRevision: OwnRevision): Promise<boolean> {
  const read = await toResult(() => controlPlane.listRevisions(ownRevision.deploymentId));
  if (read.error !== undefined || findSecondCandidateFailure(ownRevision, read.value) !== undefined)
    return true;
  const listed = findById(read.value.listed, ownRevision.revisionId);
  return listed === undefined || showsOtherContent(listed, ownRevision.content);
}

const interruptOption = code("on_cancel: interrupt");

/** Interrupts a revision, and returns the result as a sentence without its subject, the revision. */
async function interrupt(
  controlPlane: ControlPlane,
  { deploymentId, revisionId }: OwnRevision,
): Promise<Message> {
  const sent = await toResult(() => controlPlane.interruptRevision(deploymentId, revisionId));
  if (sent.error === undefined) return text`was interrupted (${interruptOption}).`;
  const reason = sent.error.ending.message;
  return mayHaveTakenEffect(sent.error)
    ? text`may still be running on the platform. Could not confirm that it was interrupted: ${reason}`
    : text`is still running on the platform. It could not be interrupted: ${reason}`;
}
