import { bestEffort } from "../errors.ts";
import type { FailureLog, RunContext } from "../events.ts";
import { singleAttempt } from "../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../platform/control-plane.ts";
import type { LogEntry, LogType } from "../platform/revision-log.ts";
import { sanitizeExcerpt, sanitizeIndented } from "../text/sanitize.ts";
import type { AppliedRevision } from "./attribution.ts";

/** In milliseconds. The log helps, but is not worth a longer wait. */
const timeoutMs = 5000;
const maxLines = 50;
const maxLineLength = 2000;
/** In characters. Lines are redacted before they are cut to what is shown: half a secret would not be recognized. */
const maxRedactedLength = 20_000;

/** Reads the end of the log of a failed build or deploy, and logs it; undefined if it can't be read or is empty. */
export async function readFailureLog(
  { deploymentId, revisionId }: AppliedRevision,
  type: LogType,
  settings: ControlPlaneSettings,
  context: RunContext,
): Promise<FailureLog | undefined> {
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, timeoutMs);
  const controlPlane = new ControlPlane({ ...settings, requestTimeoutMs }, context, singleAttempt);
  // A cancellation is no reason to stop here: the revision has failed already, and so has the run.
  const read = await bestEffort(() => controlPlane.readLogTail(deploymentId, revisionId, type, maxLines));
  const lines = "value" in read ? linesOf(read.value, context.redact.text) : [];
  if (lines.length === 0) return undefined;
  const failureLog = { type, lines };
  await context.emit({ kind: "failure_log_read", failureLog });
  context.log.group(`End of the ${type} log`);
  for (const line of lines) context.log.info(line);
  context.log.endGroup();
  return failureLog;
}

/** The last lines of log entries, oldest first: redacted, sanitized and cut. */
export function linesOf(entries: readonly LogEntry[], redact: (text: string) => string): string[] {
  return entries.flatMap((entry) => entryLines(entry, redact)).slice(-maxLines);
}

function entryLines({ at, level, message }: LogEntry, redact: (text: string) => string): string[] {
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
