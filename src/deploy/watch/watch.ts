import { toResult } from "../../errors.ts";
import { RequestError } from "../../http/request-error.ts";
import type { LiveRevision } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { interruptRevision } from "./interrupt.ts";
import { LiveLog } from "./logs/live-log.ts";
import { pollUntilLive } from "./poll-until-live.ts";
import { liveUnreadableFailure } from "./revision-ends.ts";

/**
 * Polls this run's revision until it is live (docs/specification.md#watching).
 *
 * @throws Failure if it ended otherwise or the time is up, RequestError on 401, 403 and on a 404 after the first minute, and
 *   the reason of a cancellation.
 */
export async function watch(job: RevisionJob, ours: RunRevision): Promise<LiveRevision> {
  const { options, cancelled, watched } = job;
  const liveLog = options.buildLog === "live" ? new LiveLog(job, ours) : undefined;
  try {
    return await pollUntilLive(job, ours, { deadline: ours.sentAt + options.timeoutMs, liveLog });
  } catch (error) {
    const mustInterrupt = options.interruptOnCancel && cancelled.aborted && watched.isRunning;
    if (mustInterrupt) await interruptRevision(job, ours);
    throw error;
  } finally {
    liveLog?.close();
  }
}

/** How long the platform is read at least after the checks, whatever is left of the run's time; in milliseconds. */
const minReadMs = 30_000;

/**
 * Reads once more, after the checks, that this run's revision is live (docs/specification.md#live).
 *
 * @throws Failure with the outcome of a watch that sees the same, or if nothing shows which revision is live
 */
export async function confirmLive(job: RevisionJob, ours: RunRevision): Promise<LiveRevision> {
  const { clock, options, report, cancelled, watched } = job;
  report.set({ liveRevisionId: undefined });
  const deadline = Math.max(ours.sentAt + options.timeoutMs, clock.now() + minReadMs);
  const confirmed = await toResult(() => pollUntilLive(job, ours, { deadline, wasLive: true }), cancelled);
  watched.setPhase("ended");
  if ("value" in confirmed) return confirmed.value;
  const { error } = confirmed;
  throw error instanceof RequestError ? liveUnreadableFailure(ours, error) : error;
}
