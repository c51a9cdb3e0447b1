import type { LogEntry, LogType } from "../platform/revision-log.ts";
import type { FailureLog } from "../progress/facts.ts";
import type { Log } from "../runner/log.ts";
import { codeBlock } from "../text/markdown.ts";
import { sanitizeExcerpt, sanitizeIndented } from "../text/sanitize.ts";

/** How much of it is shown where. */
export const maxLogLines = 50;
const maxInSummary = { lines: 20, length: 500 };
const maxInComment = { lines: 8, length: 200 };

const lineLength = 2000;
/** What is looked through for secrets. A line is cut far behind what is shown of it: half a secret isn't known for one. */
const maxLine = 20_000;

/** What is shown of the last entries of a log; undefined where they say nothing. */
export function failureLogOf(
  type: LogType,
  entries: readonly LogEntry[],
  redact: (text: string) => string,
): FailureLog | undefined {
  const lines = entries.slice(-maxLogLines).flatMap((entry) => linesOf(entry, redact));
  return lines.length === 0 ? undefined : { type, lines: lines.slice(-maxLogLines) };
}

function linesOf({ at, level, message }: LogEntry, redact: (text: string) => string): string[] {
  const [first, ...others] = message
    .split("\n")
    .map(lastDrawn)
    .filter((line) => line.trim() !== "");
  if (first === undefined) return [];
  const time = at === undefined ? "" : `${new Date(at).toISOString().slice(11, 19)} `;
  const rank = level === undefined ? "" : `${sanitizeExcerpt(level, 20)} `;
  const lines = [`${time}${rank}${first}`, ...others.slice(-maxLogLines)];
  // Secrets of several lines are found in all of them together.
  const shown = redact(lines.map((line) => line.slice(0, maxLine)).join("\n"));
  return shown
    .split("\n")
    .map((line) => sanitizeIndented(line.replaceAll("\t", "  "), lineLength))
    .filter((line) => line.trim() !== "");
}

/** What a terminal shows of a line that was drawn several times over, such as the bar of a download. */
function lastDrawn(line: string): string {
  return line.split("\r").findLast((drawn) => drawn.trim() !== "") ?? "";
}

/** Tells it to the job's log, as a group. */
export function tellFailureLog({ type, lines }: FailureLog, log: Log): void {
  log.group(`The end of the ${type} log`);
  for (const line of lines) log.info(line);
  log.endGroup();
}

/** A section of the job summary, as Markdown. */
export function failureLogSection(log: FailureLog): string {
  return `### The end of the ${log.type} log\n\n${excerpt(log, maxInSummary)}`;
}

/** The same for a comment, shorter. */
export function failureLogForComment(log: FailureLog): string {
  return `**The end of the ${log.type} log:**\n\n${excerpt(log, maxInComment)}`;
}

function excerpt(log: FailureLog, most: { readonly lines: number; readonly length: number }): string {
  return codeBlock(log.lines.slice(-most.lines).map((line) => sanitizeIndented(line, most.length)));
}
