import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane } from "../../platform/control-plane.ts";
import type { LogEntry, LogReader, RevisionLog } from "../../platform/logs.ts";
import { maxEndLines } from "../../report/sections/failure-log.ts";
import type { LogLine } from "../../results/watch.ts";
import type { RevisionJob } from "../job.ts";

/** In milliseconds. The log helps, but is not worth a longer wait. */
const timeoutMs = 5000;
/** More than are shown: the first of them may hold the start of a secret that ends in a line shown. */
export const maxKeptLines = 3 * maxEndLines;

/** What of a log was printed while it grew. */
export interface PrintedLog {
  readonly lastLines: readonly LogLine[];
  /** Whether these are the end of the log, as far as the platform shows it. */
  readonly isComplete: boolean;
}

/** The reader of a log; undefined if the platform has none. */
export function openLog(job: RevisionJob, log: RevisionLog): LogReader | undefined {
  const requestTimeoutMs = Math.min(job.settings.requestTimeoutMs, timeoutMs);
  return new ControlPlane({ ...job.settings, requestTimeoutMs }, job, singleAttempt).openLog?.(log);
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
