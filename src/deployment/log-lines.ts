import type { LogEntry } from "../platform/revision-log.ts";
import { sanitizeExcerpt, sanitizeIndented } from "../text/sanitize.ts";

const maxLineLength = 2000;
/** In characters. Lines are redacted before they are cut to what is shown: half a secret would not be recognized. */
const maxRedactedLength = 20_000;

/** The lines of log entries, at most `maxLines` after the first one of each: redacted, sanitized and cut. */
export function logLines(
  entries: readonly LogEntry[],
  maxLines: number,
  redact: (text: string) => string,
): string[] {
  return entries.flatMap((entry) => entryLines(entry, maxLines, redact));
}

function entryLines(
  { at, level, message }: LogEntry,
  maxLines: number,
  redact: (text: string) => string,
): string[] {
  const [first, ...others] = message
    .split("\n")
    .map(lastRedraw)
    .filter((line) => line.trim() !== "");
  if (first === undefined) return [];
  const time = at === undefined ? "" : `${new Date(at).toISOString().slice(11, 19)} `;
  const label = level === undefined ? "" : `${sanitizeExcerpt(level, 20)} `;
  const lines = [`${time}${label}${first}`, ...others.slice(-maxLines)];
  // A secret of several lines is found only in all of them together.
  const redacted = redact(lines.map((line) => line.slice(0, maxRedactedLength)).join("\n"));
  return redacted
    .split("\n")
    .map((line) => sanitizeIndented(line.replaceAll("\t", "  "), maxLineLength))
    .filter((line) => line.trim() !== "");
}

/** What a terminal shows of a line that was drawn several times, such as a progress bar. */
function lastRedraw(line: string): string {
  return line.split("\r").findLast((drawn) => drawn.trim() !== "") ?? "";
}
