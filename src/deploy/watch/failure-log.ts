import type { Context } from "../../context.ts";
import { toResult } from "../../errors.ts";
import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../../platform/control-plane.ts";
import type { LogEntry, LogType } from "../../platform/revision-log.ts";
import { failedStage, type Status } from "../../platform/status.ts";
import type { LogLine } from "../../report/facts.ts";
import { maxEndLines } from "../../report/report-log.ts";
import type { RunRevision } from "../apply/match-revision.ts";
import type { RevisionJob } from "../job.ts";

/** In milliseconds. The log helps, but is not worth a longer wait. */
const timeoutMs = 5000;
/** More than are shown: the first of them may hold the start of a secret that ends in a line shown. */
export const maxKeptLines = 3 * maxEndLines;

/** What of a log was printed while it grew. */
export interface PrintedLog {
  /** The lines that were printed last. */
  readonly lastLines: readonly LogLine[];
  /** Whether these are the end of the log, as far as the platform shows it. */
  readonly isComplete: boolean;
}

/** The control plane for requests of logs. */
export function controlPlaneForLogs(settings: ControlPlaneSettings, context: Context): ControlPlane {
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, timeoutMs);
  return new ControlPlane({ ...settings, requestTimeoutMs }, context, singleAttempt);
}

/**
 * Shows the end of the log of a failed build or deploy, as the options say and as far as `liveLog` has not printed it.
 * Returns which log was shown.
 */
export async function showFailureLog(
  job: RevisionJob,
  run: RunRevision,
  status: Status,
  liveLog: PrintedLog | undefined,
): Promise<LogType | undefined> {
  // A revision that failed before its deploy has only a build log.
  const type = failedStage(status);
  const printed = type === "build" && liveLog !== undefined ? liveLog.lastLines : [];
  const isPrinted = printed.length > 0 && liveLog?.isComplete;
  const lines = isPrinted ? printed : await readEndOfLog(job, run, type);
  if (lines.length === 0) return undefined;
  job.report.failureLog({ type, lines }, printed);
  return type;
}

/** What a server prints arrives in the platform's log a moment later. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check, if the platform has it and it is wanted. */
export async function showServerLog(job: RevisionJob, run: RunRevision): Promise<void> {
  if (!showsLogs(job)) return;
  await job.clock.sleep(logDelayMs, job.cancelled);
  const lines = await readEndOfLog(job, run, "deploy");
  if (lines.length > 0) job.report.failureLog({ type: "deploy", lines });
}

function showsLogs({ options, settings }: RevisionJob): boolean {
  return options.buildLog !== "off" && settings.platform.capabilities.logs;
}

/** Empty if the log can't be read, is empty or not wanted. */
async function readEndOfLog(
  job: RevisionJob,
  { deploymentId, revisionId }: RunRevision,
  type: LogType,
): Promise<readonly LogLine[]> {
  if (!showsLogs(job)) return [];
  const controlPlane = controlPlaneForLogs(job.settings, job);
  // Entries, not lines: blank ones are left out, others have several lines, of which `maxKeptLines` are kept.
  const maxEntries = 2 * maxEndLines;
  // A cancellation is no reason to stop here: the revision has failed already, and so has the run.
  const read = await toResult(() => controlPlane.readLogTail({ deploymentId, revisionId, type }, maxEntries));
  return "value" in read ? toLogLines(read.value).slice(-maxKeptLines) : [];
}

/** In characters, far more than is shown of a line. */
const maxLineLength = 20_000;

/** Any other text could be a secret: labels are not redacted. */
const levels = /^(?:trace|debug|info|notice|warn|warning|error|critical|fatal)$/i;

/** The lines of log entries without blank ones, the first of an entry with its time and level. */
export function toLogLines(entries: readonly LogEntry[]): LogLine[] {
  return entries.flatMap(({ at, level, message }) => {
    const time = at === undefined ? "" : `${new Date(at).toISOString().slice(11, 19)} `;
    const label = level !== undefined && levels.test(level) ? `${time}${level} ` : time;
    const lines = message.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line, index) => ({ label: index === 0 ? label : "", text: endOfRedraws(line) }));
  });
}

/** A line without what is surely not shown of it. */
function endOfRedraws(line: string): string {
  const drawn = line.replace(/\r+$/, "");
  return drawn.includes("\r") ? drawn.slice(-maxLineLength) : drawn.slice(0, maxLineLength);
}
