import type { EpochMs } from "../../clock.ts";
import { CancelledError, Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { isNotFound, mayKeepPolling, RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/deployment.ts";
import { mayGoLive } from "../../platform/status.ts";
import { code, duration, idText, inputName, phrase, text } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { maxLagMs, type OwnRevision, requireOwn } from "../own-revision.ts";
import type { LiveSnapshot } from "../snapshot.ts";
import { interruptRevision } from "./interrupt.ts";
import { findNewerLiveFailure, NotLiveError, readIfLive, tryReadLive } from "./live.ts";
import type { BuildLogPrinter } from "./logs/build-log-printer.ts";
import { explainEnd, liveUnreadableFailure, statusUnreadableFailure } from "./revision-ends.ts";

interface WatchOptions {
  readonly deadline: EpochMs;
  readonly logPrinter?: BuildLogPrinter | undefined;
  /** The revision as it was before its checks. Another live one then fails the run at once. */
  readonly seenLive?: Revision;
}

/**
 * Polls one revision until it is live. If the run is cancelled before it has ended, `on_cancel` may interrupt it.
 *
 * @throws Failure if it ended otherwise, the time is up or it can't be read
 */
export async function pollUntilLive(
  context: RevisionContext,
  ownRevision: OwnRevision,
  { deadline, logPrinter, seenLive }: WatchOptions,
): Promise<LiveSnapshot> {
  const { clock, options } = context;
  // A failed request is not retried, because the next poll follows.
  const polling = { ...context, controlPlane: context.controlPlane.limited() };
  let lastRead = seenLive;
  let isInterrupted = false;
  const poll = async (): Promise<LiveSnapshot | undefined> => {
    const wasInterrupted = isInterrupted;
    isInterrupted = false;
    const { deploymentId, revisionId } = ownRevision;
    const revision = await polling.controlPlane.getRevision(deploymentId, revisionId);
    lastRead = revision;
    try {
      await logPrinter?.onPoll(revision.status);
    } finally {
      // The revision is reported even if the run is cancelled while its log is read.
      context.revisionReport.addPoll(revision);
    }
    requireOwn(context, ownRevision, revision);
    const { kind } = revision.status;
    isInterrupted = kind === "interrupted";
    if (kind === "deployed") {
      const snapshot = await readIfLive(polling, ownRevision, seenLive !== undefined);
      if (snapshot === undefined) return undefined;
      context.report.set({ liveRevisionId: revisionId });
      return { ...snapshot, revision };
    }
    // An interrupted revision may continue, so it gets one more poll.
    if (kind === "pending" || (isInterrupted && !wasInterrupted)) return undefined;
    throw await explainEnd(context, ownRevision, revision);
  };
  const policy = {
    deadline,
    delayMs: options.pollIntervalMs,
    mayKeepPolling: (error: Failure) => {
      if (error instanceof NotLiveError) return seenLive === undefined;
      const isMissing = isNotFound(error) && clock.now() - ownRevision.waitStartedAt >= maxLagMs;
      return mayKeepPolling(error) && !isMissing;
    },
  };
  try {
    const polled = await pollUntil(poll, policy, context);
    if (polled.value !== undefined) return polled.value;
    throw await explainTimeout(context, ownRevision, deadline, { revision: lastRead, ...polled });
  } catch (error) {
    if (error instanceof CancelledError && options.interruptOnCancel && mayGoLive(lastRead?.status))
      await interruptRevision(context, ownRevision);
    // A read after which polling may not continue: 401, 403, or a 404 after the first minute.
    if (!(error instanceof RequestError)) throw error;
    throw lastRead?.status.kind === "deployed"
      ? liveUnreadableFailure(ownRevision, error)
      : statusUnreadableFailure(ownRevision, error);
  }
}

interface LastPoll {
  /** As it was read last; undefined if it never was. */
  readonly revision: Revision | undefined;
  /** Why the last poll failed, if it did. */
  readonly lastFailure: Failure | undefined;
}

async function explainTimeout(
  context: RevisionContext,
  ownRevision: OwnRevision,
  deadline: EpochMs,
  lastPoll: LastPoll,
): Promise<Failure> {
  const { revision, lastFailure } = lastPoll;
  if (lastFailure instanceof NotLiveError) {
    return lastFailure.addDetails(
      text`The run waited for ${duration(deadline - ownRevision.waitStartedAt)}.`,
    );
  }
  if (revision?.status.kind === "deployed") return liveUnreadableFailure(ownRevision, lastFailure);
  if (lastFailure === undefined && revision?.status.kind === "interrupted")
    return await explainEnd(context, ownRevision, revision);
  const { value: snapshot } = await tryReadLive(context, ownRevision, context.cancelled);
  const newerLive = snapshot && findNewerLiveFailure(ownRevision, snapshot);
  return newerLive ?? notEndedFailure(context, ownRevision, deadline, lastPoll);
}

function notEndedFailure(
  { report }: RevisionContext,
  { revisionId, waitStartedAt, isRollback }: OwnRevision,
  deadline: EpochMs,
  { revision, lastFailure }: LastPoll,
): Failure {
  const status = revision && code(revision.status.raw);
  const progress =
    lastFailure === undefined ? phrase`is still ${status}` : phrase`was ${status} when it was last seen`;
  const canResume = report.state.isRecorded && !isRollback;
  const resume = canResume ? text`Re-run this job to continue watching the same revision. ` : undefined;
  return new Failure(
    text`After ${duration(deadline - waitStartedAt)}, revision ${idText(revisionId)} ${status ? progress : phrase`was still not visible`}.`,
    {
      outcome: "timed_out",
      details: lastFailure === undefined ? [] : [text`The last poll failed: ${lastFailure.ending.message}`],
      hint: text`${resume}If it usually takes this long, raise ${inputName("timeout_seconds")}. A stuck revision blocks later deployments.`,
    },
  );
}
