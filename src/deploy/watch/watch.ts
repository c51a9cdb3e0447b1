import type { EpochMs } from "../../clock.ts";
import { CancelledError, type Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { isNotFound, mayKeepPolling, RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/revision.ts";
import { mayGoLive } from "../../platform/status.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { requireOwn } from "../own-revision-rules.ts";
import { type LiveRevision, maxLagMs, type Snapshot } from "../snapshot.ts";
import { interruptRevision } from "./interrupt.ts";
import { NotLiveError, readIfLive } from "./live.ts";
import { type BuildLogPrinter, createBuildLogPrinter } from "./logs/build-log-printer.ts";
import { explainEnd, explainTimeout, notConfirmedFailure } from "./revision-ends.ts";

/**
 * Polls this run's revision until it is live (docs/specification.md#watching).
 *
 * @throws Failure if it ended otherwise, the time is up or the platform can't be read
 */
export async function watch(context: RevisionContext, ownRevision: OwnRevision): Promise<LiveRevision> {
  const { options } = context;
  const logPrinter = createBuildLogPrinter(context, ownRevision);
  try {
    return await pollUntilLive(context, ownRevision, {
      deadline: ownRevision.waitStartedAt + options.timeoutMs,
      logPrinter,
    });
  } finally {
    logPrinter?.close();
  }
}

/** The time for the reads after the checks, even if less of the run's time is left. */
const minConfirmMs = 30_000;

/**
 * Confirms after the checks that this run's revision is still live (docs/specification.md#live).
 *
 * @throws Failure if it is not live any more, or if the platform does not show which revision is live
 */
export async function confirmLive(
  context: RevisionContext,
  ownRevision: OwnRevision,
  seenLive: Revision,
): Promise<Snapshot> {
  const { clock, options, report } = context;
  // What was live before the checks is not reported as live if that can't be read again.
  report.set({ liveRevisionId: undefined });
  const deadline = Math.max(ownRevision.waitStartedAt + options.timeoutMs, clock.now() + minConfirmMs);
  return await pollUntilLive(context, ownRevision, { deadline, seenLive });
}

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
async function pollUntilLive(
  context: RevisionContext,
  ownRevision: OwnRevision,
  { deadline, logPrinter, seenLive }: WatchOptions,
): Promise<Snapshot & LiveRevision> {
  const { clock, options } = context;
  // A failed request is not retried, because the next poll follows.
  const polling = { ...context, controlPlane: context.controlPlane.withLimits({ retryMs: 0 }) };
  let lastRead = seenLive;
  const readOnce = async () => {
    const { deploymentId, revisionId } = ownRevision;
    const lastStatus = lastRead?.status;
    const revision = await polling.controlPlane.getRevision(deploymentId, revisionId);
    lastRead = revision;
    try {
      await logPrinter?.onPoll(revision.status, lastStatus);
    } finally {
      // The revision is reported even if the run is cancelled while its log is read.
      context.report.addPoll(revision);
    }
    requireOwn(context, ownRevision, revision);
    const { kind } = revision.status;
    if (kind === "deployed") {
      const snapshot = await readIfLive(polling, ownRevision, seenLive !== undefined);
      return snapshot && { ...snapshot, revision };
    }
    // An interrupted revision may continue, so it gets one more poll.
    if (kind === "pending" || (kind === "interrupted" && lastStatus?.kind !== kind)) return undefined;
    throw await explainEnd(context, ownRevision, revision);
  };
  const policy = {
    deadline,
    delayMs: options.pollIntervalMs,
    onTimeout: (lastFailure: Failure | undefined) => {
      const waitedMs = deadline - ownRevision.waitStartedAt;
      return explainTimeout(context, ownRevision, waitedMs, { revision: lastRead, lastFailure });
    },
    mayContinueAfter: (error: Failure) => {
      const isMissing = isNotFound(error) && clock.now() - ownRevision.waitStartedAt >= maxLagMs;
      return error instanceof NotLiveError || (mayKeepPolling(error) && !isMissing);
    },
  };
  try {
    return await pollUntil(readOnce, policy, context);
  } catch (error) {
    if (error instanceof CancelledError && options.interruptOnCancel && mayGoLive(lastRead?.status))
      await interruptRevision(context, ownRevision);
    // A read after which polling may not continue: 401, 403, or a 404 after the first minute.
    if (!(error instanceof RequestError)) throw error;
    throw notConfirmedFailure(ownRevision, lastRead, error);
  }
}
