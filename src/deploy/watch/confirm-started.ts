import { type SuccessEnding, toResult, undefinedIf } from "../../errors.ts";
import { RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound } from "../../platform/error-kinds.ts";
import { code, id, text } from "../../text/message.ts";
import { findListed, readHistory } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import { requireOurs } from "../make/identify-revision.ts";
import { type RunRevision, unreadableFailure } from "../make/run-revision.ts";
import { findRival } from "./live.ts";
import { endedFailure } from "./revision-ends.ts";

/**
 * Returns the ending of a run with `wait: false`, right after the write.
 *
 * @throws Failure if the revision is not this run's or failed, or if that can't be read
 */
export async function confirmStarted(job: RevisionJob, ours: RunRevision): Promise<SuccessEnding> {
  const revision = id(ours.revisionId);
  const confirmed = await toResult(() => readAndRequireStarted(job, ours), job.cancelled);
  if ("error" in confirmed) {
    const { error } = confirmed;
    const problem = text`Could not confirm that revision ${revision} was started.`;
    throw error instanceof RequestError ? unreadableFailure(ours, problem, error) : error;
  }
  return {
    outcome: "started",
    message: text`Revision ${revision} was started. This run does not wait for it (${code("wait: false")}).`,
  };
}

async function readAndRequireStarted(job: RevisionJob, ours: RunRevision): Promise<void> {
  const { controlPlane, report, watched } = job;
  const { deploymentId, revisionId, isCertain } = ours;
  // The revision may not be visible yet.
  const revision = await undefinedIf(isNotFound, controlPlane.getRevision(deploymentId, revisionId));
  if (revision !== undefined) {
    watched.addPoll(revision);
    await requireStarted(job, ours, revision);
  }
  if (!isCertain) {
    const history = await readHistory(job, deploymentId);
    report.set({ liveRevisionId: history.liveId });
    const rival = findRival(ours, history);
    if (rival !== undefined) throw rival;
    const listed = findListed(history.listed, revisionId);
    if (listed !== undefined) await requireStarted(job, ours, listed);
  }
}

/** @throws Failure if a revision is not this run's or has ended without being deployed */
async function requireStarted(job: RevisionJob, ours: RunRevision, revision: Revision): Promise<void> {
  requireOurs(job, ours, revision);
  const { kind } = revision.status;
  if (kind === "pending" || kind === "deployed") return;
  job.watched.setDone(true);
  throw await endedFailure(job, ours, revision);
}
