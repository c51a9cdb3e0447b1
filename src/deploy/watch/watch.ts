import type { Revision } from "../../platform/deployment.ts";
import type { RevisionContext } from "../deploy-context.ts";
import type { OwnRevision } from "../own-revision.ts";
import type { LiveSnapshot } from "../snapshot.ts";
import { BuildLogPrinter } from "./logs/build-log-printer.ts";
import { pollUntilLive } from "./poll-until-live.ts";

/**
 * Polls this run's revision until it is live (docs/specification.md#watching).
 *
 * @throws Failure if it ended otherwise, the time is up or the platform can't be read
 */
export async function watch(context: RevisionContext, ownRevision: OwnRevision): Promise<LiveSnapshot> {
  const { options } = context;
  const logPrinter = options.buildLog === "live" ? new BuildLogPrinter(context, ownRevision) : undefined;
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
): Promise<LiveSnapshot> {
  const { clock, options, report } = context;
  // What was live before the checks is not reported as live if that can't be read again.
  report.set({ liveRevisionId: undefined });
  const deadline = Math.max(ownRevision.waitStartedAt + options.timeoutMs, clock.now() + minConfirmMs);
  return await pollUntilLive(context, ownRevision, { deadline, seenLive });
}
