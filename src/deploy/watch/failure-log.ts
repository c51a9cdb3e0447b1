import { bestEffort } from "../../errors.ts";
import type { FailureLog, RunContext } from "../../events.ts";
import { singleAttempt } from "../../http/retry.ts";
import { ControlPlane, type ControlPlaneSettings } from "../../platform/control-plane.ts";
import type { LogEntry, LogType } from "../../platform/revision-log.ts";
import type { RunRedactor } from "../../text/redact.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";
import { LogLines } from "./log-lines.ts";

/** In milliseconds. The log helps, but is not worth a longer wait. */
const timeoutMs = 5000;
/** How many lines the end of a log has. */
export const maxEndLines = 50;
/** More entries than lines are shown: the first of them may hold the start of a secret that ends in a line shown. */
const maxEndEntries = 2 * maxEndLines;

/** The control plane for requests of logs. */
export function controlPlaneForLogs(settings: ControlPlaneSettings, context: RunContext): ControlPlane {
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs, timeoutMs);
  return new ControlPlane({ ...settings, requestTimeoutMs }, context, singleAttempt);
}

/**
 * Reads the end of the log of a failed build or deploy, and logs it without the lines that were `printed` already;
 * undefined if it can't be read or is empty.
 */
export async function readFailureLog(
  { deploymentId, revisionId }: AppliedRevision,
  type: LogType,
  settings: ControlPlaneSettings,
  context: RunContext,
  printed: readonly string[] = [],
): Promise<FailureLog | undefined> {
  const controlPlane = controlPlaneForLogs(settings, context);
  const log = { deploymentId, revisionId, type };
  // A cancellation is no reason to stop here: the revision has failed already, and so has the run.
  const read = await bestEffort(() => controlPlane.readLogTail(log, maxEndEntries));
  const lines = "value" in read ? lastLines(read.value, context.redact) : [];
  if (lines.length === 0) return undefined;
  const failureLog = { type, lines };
  await context.emit({ kind: "failure_log_read", failureLog });
  const others = lines.filter((line) => !printed.includes(line));
  if (others.length === 0) return failureLog;
  context.log.group(`End of the ${type} log`);
  for (const line of others) context.log.info(line);
  context.log.endGroup();
  return failureLog;
}

/** The last lines of log entries, oldest first: redacted, sanitized and cut. */
export function lastLines(
  entries: readonly LogEntry[],
  redact: Pick<RunRedactor, "text" | "lines">,
): string[] {
  const lines = new LogLines(maxEndLines, redact);
  return [...lines.add(entries), ...lines.end()].slice(-maxEndLines);
}
