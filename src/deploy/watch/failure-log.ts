import { toResult } from "../../errors.ts";
import type { LogType } from "../../platform/logs.ts";
import { failedStage, type Status } from "../../platform/status.ts";
import { maxEndLines } from "../../report/sections/failure-log.ts";
import type { FailureLog, LogLine } from "../../results/watch.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { RevisionJob } from "../job.ts";
import { maxKeptLines, openLog, type PrintedLog, toLogLines } from "./log-lines.ts";

/**
 * Shows the end of the log of a failed build or deploy, as the options say and as far as `liveLog` has not printed it.
 * Returns what was shown.
 */
export async function showFailureLog(
  job: RevisionJob,
  run: RunRevision,
  status: Status,
  liveLog: PrintedLog | undefined,
): Promise<FailureLog | undefined> {
  // A revision that failed before its deploy has only a build log.
  const type = failedStage(status);
  const printed = type === "build" && liveLog !== undefined ? liveLog.lastLines : [];
  const isPrinted = printed.length > 0 && liveLog?.isComplete;
  const lines = isPrinted ? printed : await readEndOfLog(job, run, type);
  return reportLog(job, { type, lines }, printed);
}

/** What a server prints arrives in the platform's log a moment later. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check, if the platform has it and it is wanted. */
export async function showServerLog(job: RevisionJob, run: RunRevision): Promise<void> {
  if (!showsLogs(job)) return;
  await job.clock.sleep(logDelayMs, job.cancelled);
  reportLog(job, { type: "deploy", lines: await readEndOfLog(job, run, "deploy") });
}

/** Undefined if there is nothing to show. `printed`: what a stream has printed of it. */
function reportLog(
  { report }: RevisionJob,
  log: FailureLog,
  printed?: readonly LogLine[],
): FailureLog | undefined {
  if (log.lines.length === 0) return undefined;
  report.failureLog(log, printed);
  return log;
}

function showsLogs({ options, settings }: RevisionJob): boolean {
  return options.buildLog !== "off" && settings.platform.openLog !== undefined;
}

/** Empty if the log can't be read, is empty or not wanted. */
async function readEndOfLog(
  job: RevisionJob,
  { deploymentId, revisionId }: RunRevision,
  type: LogType,
): Promise<readonly LogLine[]> {
  const readPage = showsLogs(job) ? openLog(job, { deploymentId, revisionId, type }) : undefined;
  if (readPage === undefined) return [];
  // Entries, not lines: blank ones are left out, others have several lines, of which `maxKeptLines` are kept.
  const maxEntries = 2 * maxEndLines;
  // A cancellation is no reason to stop here: the revision has failed already, and so has the run.
  const read = await toResult(() => readPage({ order: "desc", limit: maxEntries }));
  return "value" in read ? toLogLines(read.value.entries).slice(-maxKeptLines) : [];
}
