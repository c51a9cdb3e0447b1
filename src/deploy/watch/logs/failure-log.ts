import { type Place, toResult } from "../../../errors.ts";
import { type LogType, linesOf, maxEndLines } from "../../../platform/logs.ts";
import type { RevisionJob } from "../../job.ts";
import type { RunRevision } from "../../make/run-revision.ts";
import { findReason } from "./find-reason.ts";
import { openLog } from "./open-log.ts";

/** The end of a log, after it was shown. */
export interface ShownLog {
  readonly type: LogType;
  /** The line that says why. */
  readonly reason?: string | undefined;
  /** The place in the files of the upload that it is about. */
  readonly place?: Place | undefined;
}

/** What a server prints arrives in the platform's log a moment later. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check, if the platform has it and it is wanted. */
export async function showServerLog(job: RevisionJob, ours: RunRevision): Promise<ShownLog | undefined> {
  if (!showsLogs(job)) return undefined;
  await job.clock.sleep(logDelayMs, job.cancelled);
  return await showEnd(job, ours, "deploy");
}

/** Shows the end of a log; undefined if there is nothing to show, or if it is not wanted. */
export async function showEnd(
  job: RevisionJob,
  ours: RunRevision,
  type: LogType,
): Promise<ShownLog | undefined> {
  const lines = await readEnd(job, ours, type);
  if (lines.length === 0) return undefined;
  return { type, ...findReason(job.report.showFailureLog({ type, lines }), job) };
}

function showsLogs({ options, settings }: RevisionJob): boolean {
  return options.buildLog !== "off" && settings.platform.openLog !== undefined;
}

/** Empty if the log can't be read, is empty or not wanted. */
async function readEnd(job: RevisionJob, ours: RunRevision, type: LogType): Promise<readonly string[]> {
  const readPage = showsLogs(job) ? openLog(job, ours, type) : undefined;
  if (readPage === undefined) return [];
  // A page is counted in entries, of which some are blank and others have several lines.
  const maxEntries = 2 * maxEndLines;
  // A cancellation changes nothing any more: the revision has failed, and so has the run.
  const read = await toResult(() => readPage({ order: "desc", limit: maxEntries }), undefined);
  return "value" in read ? linesOf(read.value.messages) : [];
}
