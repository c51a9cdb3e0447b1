import type { DeploymentRun } from "../deployment-run.ts";
import { ActionError } from "../errors.ts";
import { noRetry } from "../http/retry.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { LogType } from "../platform/revision-log.ts";
import { readLogTail } from "../platform/revision-log-tail.ts";
import { kindOfStatus } from "../platform/status.ts";
import type { Ending } from "../progress/ending.ts";
import type { FailureLog } from "../progress/facts.ts";
import { failureLogOf, maxLogLines, tellFailureLog } from "../report/failure-log.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** The log is a help, not worth more than so many milliseconds of waiting. */
const patienceMs = 5000;

/**
 * After a failed build or deploy, on a platform that tells: has the end of its log shown, and adds why the platform
 * says it failed. What can't be read is left out; the outcome stays.
 */
export async function explainFailure(ending: Ending, deployment: DeploymentRun): Promise<Ending> {
  const { inputs, progress, context } = deployment;
  const { statuses, statusMessage } = progress.facts;
  const status = statuses.at(-1)?.status ?? "";
  if (kindOfStatus(status) !== "failed" || !inputs.controlPlane.platform.offers.logs) return ending;
  const failureLog = await readFailureLog(typeOfLog(status), deployment);
  progress.note({ failureLog });
  if (failureLog) tellFailureLog(failureLog, context.log);
  return {
    ...ending,
    message: statusMessage?.trim()
      ? `${ending.message} ${quote(context.redact.words(statusMessage))}`
      : ending.message,
    ...(failureLog && { hint: hintAt(failureLog) }),
  };
}

function quote(statusMessage: string): string {
  return `The platform says: ${sanitizeSentence(statusMessage, 1000)}`;
}

/** Whatever fails before the deploy does so while there is at most a build. */
function typeOfLog(status: string): LogType {
  return status.includes("DEPLOY") ? "deploy" : "build";
}

function hintAt({ type }: FailureLog): string {
  return `The end of the ${type} log stands in this step's log and in the job summary; check app_config_path, repo_ref and secrets.`;
}

async function readFailureLog(type: LogType, deployment: DeploymentRun): Promise<FailureLog | undefined> {
  const { inputs, progress, context } = deployment;
  const { deploymentId, revisionId } = progress.facts;
  if (deploymentId === undefined || revisionId === undefined) return undefined;
  const cancelled = AbortSignal.any([context.cancelled, AbortSignal.timeout(patienceMs)]);
  const plane = new ControlPlane(inputs.controlPlane, { ...context, cancelled }, noRetry);
  try {
    const entries = await readLogTail(
      (query) => plane.readRevisionLog(deploymentId, revisionId, { type, ...query }),
      maxLogLines,
    );
    return failureLogOf(type, entries, context.redact.words);
  } catch (error) {
    if (error instanceof ActionError || cancelled.aborted) return undefined;
    throw error;
  }
}
