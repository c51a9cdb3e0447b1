import { Failure, type SuccessEnding, toResult, undefinedIf } from "../../errors.ts";
import { isNotFound } from "../../http/error-kinds.ts";
import { RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/deployment.ts";
import { equalsIgnoringCase } from "../../text/equals-ignoring-case.ts";
import { code, id, text } from "../../text/message.ts";
import { findListed, readHistory } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import { pollForNew, requireOurs } from "../make/identify-revision.ts";
import { deployAgainHint, type RunRevision, unreadableFailure } from "../make/run-revision.ts";
import { findRivalFailure } from "./live.ts";
import { explainEnd } from "./revision-ends.ts";

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
  const revision = await undefinedIf(() => controlPlane.getRevision(deploymentId, revisionId), isNotFound);
  if (revision !== undefined) {
    watched.addPoll(revision);
    await requireStarted(job, ours, revision);
  }
  if (!isCertain) {
    // A list without this revision is too old to show whether there is a second one.
    const polled = await pollForNew(job, ours, (listed) => equalsIgnoringCase(listed.id, revisionId));
    if (!("value" in polled)) throw polled.lastFailure ?? notListedFailure(ours);
    const history = await readHistory(job, deploymentId);
    report.set({ liveRevisionId: history.liveId });
    const rival = findRivalFailure(ours, history);
    if (rival !== undefined) throw rival;
    const listed = findListed(history.listed, revisionId);
    if (listed !== undefined) await requireStarted(job, ours, listed);
  }
}

function notListedFailure(ours: RunRevision): Failure {
  return new Failure(
    text`Could not confirm that revision ${id(ours.revisionId)} was started: the list of revisions does not show it.`,
    { hint: text`Check the deployment's revisions on the platform. ${deployAgainHint(ours)}` },
  );
}

/** @throws Failure if a revision is not this run's or has ended without being deployed */
async function requireStarted(job: RevisionJob, ours: RunRevision, revision: Revision): Promise<void> {
  requireOurs(job, ours, revision);
  const { kind } = revision.status;
  if (kind === "pending" || kind === "deployed") return;
  throw await explainEnd(job, ours, revision);
}
