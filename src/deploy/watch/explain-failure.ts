import type { Ending } from "../../ending.ts";
import type { FailureLog, RunContext } from "../../events.ts";
import type { DeployMode } from "../../inputs/deploy.ts";
import type { ControlPlaneSettings } from "../../platform/control-plane.ts";
import type { LogType } from "../../platform/revision-log.ts";
import type { Status } from "../../platform/status.ts";
import { sanitizeSentence } from "../../text/sanitize.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";
import { readFailureLog } from "./failure-log.ts";
import type { LiveLog } from "./live-log.ts";
import type { WatchResult } from "./watch.ts";

interface LogInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly mode: Pick<DeployMode, "buildLog">;
}

/** Adds the platform's reason and the end of the log to a failed build or deploy, if the platform has them. */
export async function explainFailure(
  { ending, revision }: WatchResult,
  applied: AppliedRevision,
  inputs: LogInputs,
  liveLog: LiveLog | undefined,
  context: RunContext,
): Promise<Ending> {
  if (revision?.status.kind !== "failed" || !inputs.controlPlane.platform.capabilities.logs) return ending;
  const type = logTypeFor(revision.status);
  const printed = type === "build" ? liveLog : undefined;
  const failureLog = await endOfLog(applied, type, inputs, printed, context);
  const reason = context.redact.text(revision.statusMessage?.trim() ?? "");
  return {
    ...ending,
    ...(reason !== "" && { details: [`The platform says: ${sanitizeSentence(reason, 1000)}`] }),
    ...(failureLog && {
      hint: `Read the end of the ${type} log in this step's log or in the job summary. Check app_config_path, secrets, and repo_ref or source_path.`,
    }),
  };
}

/** A revision that failed before its deploy has only a build log. */
function logTypeFor({ raw }: Status): LogType {
  return raw.includes("DEPLOY") ? "deploy" : "build";
}

/** What a server prints arrives in the platform's log a moment later. */
const logDelayMs = 2000;

/** Shows the end of the server's log after a failed check, if the platform has it. */
export async function showServerLog(
  applied: AppliedRevision,
  inputs: LogInputs,
  context: RunContext,
): Promise<void> {
  if (!showsLogs(inputs)) return;
  await context.clock.sleep(logDelayMs, context.cancelled);
  await endOfLog(applied, "deploy", inputs, undefined, context);
}

function showsLogs({ controlPlane, mode }: LogInputs): boolean {
  return mode.buildLog !== "off" && controlPlane.platform.capabilities.logs;
}

/** The end of a log, which is shown unless it was `printed` live; undefined if there is none or it is not wanted. */
async function endOfLog(
  applied: AppliedRevision,
  type: LogType,
  inputs: LogInputs,
  printed: LiveLog | undefined,
  context: RunContext,
): Promise<FailureLog | undefined> {
  if (!showsLogs(inputs)) return undefined;
  if (!printed?.isComplete) {
    return await readFailureLog(applied, type, inputs.controlPlane, context, printed?.lastLines);
  }
  const failureLog = { type, lines: printed.lastLines };
  await context.emit({ kind: "failure_log_read", failureLog });
  return failureLog;
}
