import { Failure } from "../../errors.ts";
import { isNotFound, mayKeepPolling } from "../../http/error-kinds.ts";
import { pollUntil } from "../../http/poll.ts";
import { RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/deployment.ts";
import { code, duration, id, inputName, text } from "../../text/message.ts";
import { findListed, type LiveDeployment } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import { requireOurs } from "../make/identify-revision.ts";
import { type RunRevision, visibilityMs } from "../make/run-revision.ts";
import { NotYetLiveError, readNewerLiveFailure, requireLive } from "./live.ts";
import type { LiveLog } from "./logs/live-log.ts";
import { explainEnd, liveUnreadableFailure, statusUnreadableFailure } from "./revision-ends.ts";

export interface WatchOptions {
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  readonly liveLog?: LiveLog | undefined;
  /** Whether the revision was live already. Then there is no wait for the platform to switch to it. */
  readonly confirmsOnly?: boolean;
}

/** Polls one revision until it is live. @throws Failure if it ended otherwise, the time is up or it can't be read */
export async function pollUntilLive(
  job: RevisionJob,
  ours: RunRevision,
  { deadline, liveLog, confirmsOnly = false }: WatchOptions,
): Promise<LiveDeployment> {
  const { clock, options } = job;
  // A failed request is not retried, because the next poll follows.
  const polling = { ...job, controlPlane: job.controlPlane.withoutRetries() };
  let revision: Revision | undefined;

  const poll = async (): Promise<LiveDeployment | undefined> => {
    const wasInterrupted = revision?.status.kind === "interrupted";
    revision = await readRevision(polling, ours, liveLog);
    requireOurs(job, ours, revision);
    const { kind } = revision.status;
    if (kind === "deployed") return await readIfLive(polling, ours, revision);
    // An interrupted revision may continue, so it gets one more poll.
    if (kind === "pending" || (kind === "interrupted" && !wasInterrupted)) return undefined;
    throw await explainEnd(polling, ours, revision);
  };

  const mayBeLive = () => {
    const kind = revision?.status.kind;
    // A revision that is only confirmed was seen live, also if it can't be read now.
    return kind === "deployed" || (kind === undefined && confirmsOnly);
  };

  const explainTimeout = async (lastFailure: Failure | undefined): Promise<Failure> => {
    if (lastFailure instanceof NotYetLiveError) return lastFailure;
    if (mayBeLive()) return liveUnreadableFailure(ours, lastFailure);
    if (revision?.status.kind === "interrupted") return await explainEnd(polling, ours, revision);
    return (
      (await readNewerLiveFailure(polling, ours)) ??
      notEndedFailure(job, ours, deadline, { revision, lastFailure })
    );
  };

  const policy = {
    deadline,
    delayMs: options.pollIntervalMs,
    mayKeepPolling: (error: Failure) => {
      if (error instanceof NotYetLiveError) return !confirmsOnly;
      const isMissing = isNotFound(error) && clock.now() - ours.startedAt >= visibilityMs;
      return mayKeepPolling(error) && !isMissing;
    },
  };
  try {
    const polled = await pollUntil(poll, policy, job);
    if ("value" in polled) return polled.value;
    throw await explainTimeout(polled.lastFailure);
  } catch (error) {
    // A read after which polling may not continue: 401, 403, or a 404 after the first minute.
    if (!(error instanceof RequestError)) throw error;
    throw mayBeLive() ? liveUnreadableFailure(ours, error) : statusUnreadableFailure(ours, error);
  }
}

/**
 * Returns a revision that is deployed, if it is live; undefined as long as the list shows another status of it. A list without
 * a revision that is not certainly this run's is too old to show whether there is a second one.
 */
async function readIfLive(
  job: RevisionJob,
  ours: RunRevision,
  revision: Revision,
): Promise<LiveDeployment | undefined> {
  const history = await requireLive(job, ours);
  // The list may show more, and is as true as the revision itself.
  const listed = findListed(history.listed, ours.revisionId) ?? (ours.isCertain ? revision : undefined);
  if (listed === undefined) return undefined;
  requireOurs(job, ours, listed);
  if (listed.status.kind !== "deployed") return undefined;
  const commitSha = revision.content?.commitSha ?? listed.content?.commitSha;
  const shown = { ...revision, content: { ...revision.content, commitSha } };
  job.watched.addPoll(shown);
  return { deployment: history.deployment, revision: shown };
}

/** Returns the failure of a revision that has not ended in time. */
function notEndedFailure(
  { report }: RevisionJob,
  { revisionId, startedAt, isRollback }: RunRevision,
  deadline: number,
  lastPoll: { readonly revision: Revision | undefined; readonly lastFailure: Failure | undefined },
): Failure {
  const { revision, lastFailure } = lastPoll;
  const status = revision && code(revision.status.raw);
  const progress =
    lastFailure === undefined ? text`is still ${status}` : text`was ${status} when it was last seen`;
  const canResume = report.state.isRecorded && !isRollback;
  const resume = canResume ? text`Re-run this job to continue watching the same revision. ` : undefined;
  return new Failure(
    text`After ${duration(deadline - startedAt)}, revision ${id(revisionId)} ${status ? progress : text`was still not visible`}.`,
    {
      outcome: "timed_out",
      details: lastFailure === undefined ? [] : [text`The last poll failed: ${lastFailure.ending.message}`],
      hint: text`${resume}If it usually takes this long, raise ${inputName("timeout_seconds")}. A stuck revision blocks later deployments.`,
    },
  );
}

async function readRevision(
  { controlPlane, watched }: RevisionJob,
  { deploymentId, revisionId }: RunRevision,
  liveLog: LiveLog | undefined,
): Promise<Revision> {
  const revision = await controlPlane.getRevision(deploymentId, revisionId);
  try {
    await liveLog?.onPoll(revision.status);
  } finally {
    // The revision is reported even if the run is cancelled while its log is read.
    watched.addPoll(revision);
  }
  return revision;
}
