import type { LogEntry, LogType } from "./logs.ts";

/** A line of a log of the platform. */
export interface LogLine {
  /** The time and level of its entry. */
  readonly label: string;
  readonly text: string;
}

/** The end of a build's or server's log. */
export interface FailureLog {
  readonly type: LogType;
  /** The oldest first. */
  readonly lines: readonly LogLine[];
}

/** How many lines of the end of a log are shown. */
export const maxEndLines = 50;
/** How many lines are kept, more than are shown: the first of them may hold the start of a secret that ends in a line shown. */
export const maxKeptLines = 3 * maxEndLines;

/** How much of a line is kept, in characters: far more than is shown. */
const maxLineLength = 20_000;

/** The levels that are shown. Any other text could be a secret, and labels are not redacted. */
const levels = /^(?:trace|debug|info|notice|warn|warning|error|critical|fatal)$/i;

/** The lines of log entries without blank ones, the first of an entry with its time and level. */
export function toLogLines(entries: readonly LogEntry[]): LogLine[] {
  return entries.flatMap(({ at, level, message }) => {
    const date = new Date(at);
    const time = Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(11, 19)} `;
    const label = level !== undefined && levels.test(level) ? `${time}${level} ` : time;
    const lines = message.split(/[\r\n]/).filter((line) => line.trim() !== "");
    return lines.map((line, index) => ({
      label: index === 0 ? label : "",
      text: line.slice(0, maxLineLength),
    }));
  });
}
