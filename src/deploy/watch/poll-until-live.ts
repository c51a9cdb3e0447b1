import { Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound, mayKeepPolling } from "../../platform/error-kinds.ts";
import { code, duration, id, inputName, text } from "../../text/message.ts";
import { indexIn, type LiveRevision } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import { type RunRevision, visibilityMs } from "../make/run-revision.ts";
import { NotYetLive, readLive, readNewerLive } from "./live.ts";
import type { LiveLog } from "./logs/live-log.ts";
import { endedFailure, forgetForeign, liveUnreadableFailure } from "./revision-ends.ts";

interface WatchOptions {
  /** When the time is up, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly liveLog?: LiveLog | undefined;
  /** Whether the revision was live already, so that no switch to it is waited for. */
  readonly wasLive?: boolean;
}

/** Polls one revision until it is live. @throws Failure if it ended otherwise or the time is up, RequestError */
export async function pollUntilLive(
  job: RevisionJob,
  ours: RunRevision,
  { deadline, liveLog, wasLive = false }: WatchOptions,
): Promise<LiveRevision> {
  const { clock, options, watched } = job;
  // A failed request is not retried: the next poll follows anyway.
  const once = { ...job, controlPlane: job.controlPlane.once() };
  let revision: Revision | undefined;

  const poll = async (): Promise<LiveRevision | Failure | undefined> => {
    const wasInterrupted = revision?.status.kind === "interrupted";
    revision = await readRevision(once, ours, liveLog);
    const foreign = forgetForeign(job, ours, revision);
    if (foreign !== undefined) return foreign;
    const { kind } = revision.status;
    if (kind === "deployed") {
      const live = await readLive(once, ours);
      if (live instanceof Failure) return live;
      // The list may show more of the revision.
      const listed = live.listed[indexIn(live.listed, ours.revisionId)];
      return (listed && forgetForeign(job, ours, listed)) ?? { deployment: live.deployment, revision };
    }
    // An interrupted revision may continue, so it gets one more poll.
    if (kind === "pending" || (kind === "interrupted" && !wasInterrupted)) return undefined;
    return await endedFailure(once, ours, revision);
  };

  /** The failure when the time is up. `failure`: why the last poll failed, if it did. */
  const timeUpFailure = async (failure: Failure | undefined): Promise<Failure> => {
    if (failure instanceof NotYetLive) return failure;
    const kind = revision?.status.kind;
    if (kind === "deployed" || (kind === undefined && wasLive)) return liveUnreadableFailure(ours, failure);
    if (revision?.status.kind === "interrupted") return await endedFailure(once, ours, revision);
    return (await readNewerLive(once, ours)) ?? timeoutFailure(job, ours, deadline, { revision, failure });
  };

  const policy = {
    deadline,
    delayMs: options.pollIntervalMs,
    mayKeepPolling: (error: Failure) => {
      if (error instanceof NotYetLive) return !wasLive;
      const isMissing = isNotFound(error) && clock.now() - ours.sentAt >= visibilityMs;
      return mayKeepPolling(error) && !isMissing;
    },
  };
  const polled = await pollUntil(poll, policy, job);
  const end = "value" in polled ? polled.value : await timeUpFailure(polled.lastFailure);
  // Thrown only here: `pollUntil` would throw a cancellation in place of a failure that was seen.
  if (!(end instanceof Failure)) return end;
  // The failure says what became of the revision.
  if (revision !== undefined && revision.status.kind !== "pending") watched.setPhase("ended");
  throw end;
}

/** Returns the failure of a revision that has not ended in time. `failure`: why the last poll failed, if it did. */
function timeoutFailure(
  { records }: RevisionJob,
  { revisionId, sentAt }: RunRevision,
  deadline: number,
  seen: { readonly revision: Revision | undefined; readonly failure: Failure | undefined },
): Failure {
  const { revision, failure } = seen;
  const status = revision && code(revision.status.raw);
  const progress =
    failure === undefined ? text`is still ${status}` : text`was ${status} when it was last seen`;
  const resume = records && text`Re-run this job to continue watching the same revision. `;
  return new Failure(
    text`After ${duration(deadline - sentAt)}, revision ${id(revisionId)} ${status ? progress : text`was still not visible`}.`,
    {
      outcome: "timed_out",
      details: failure === undefined ? [] : [text`The last poll failed: ${failure.ending.message}`],
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
    // What was read counts even if the run is cancelled meanwhile.
    watched.polled(revision);
  }
  return revision;
}
