import { ControlPlane } from "../control-plane/client.ts";
import type { LogType } from "../control-plane/revision-log.ts";
import { readLogTail } from "../control-plane/revision-log-tail.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import { ActionError } from "../errors.ts";
import { impatient } from "../http/retry.ts";
import type { Ending } from "../progress/ending.ts";
import type { FailureLog } from "../progress/facts.ts";
import { failureLogOf, mostLogLines, tellFailureLog } from "../report/failure-log.ts";
import { kindOfStatus } from "../revisions/statuses.ts";
import { inertSentence } from "../text/inert.ts";

/** The log is a help, not worth more than so many milliseconds of waiting. */
const patienceMs = 5000;

/**
 * After a failed build or deploy, on a platform that tells: has the end of its log shown, and adds why the platform
 * says it failed. What can't be read is left out; the outcome stays.
 */
export async function explainFailure(ending: Ending, deployment: DeploymentRun): Promise<Ending> {
  const { inputs, progress, ports } = deployment;
  const { statuses, statusMessage } = progress.facts;
  const status = statuses.at(-1)?.status ?? "";
  if (kindOfStatus(status) !== "failed" || !inputs.controlPlane.platform.offers.logs) return ending;
  const failureLog = await readFailureLog(typeOfLog(status), deployment);
  progress.note({ failureLog });
  if (failureLog) tellFailureLog(failureLog, ports.log);
  return {
    ...ending,
    message: statusMessage?.trim()
      ? `${ending.message} ${quote(ports.redact.words(statusMessage))}`
      : ending.message,
    ...(failureLog && { hint: hintAt(failureLog) }),
  };
}

function quote(statusMessage: string): string {
  return `The platform says: ${inertSentence(statusMessage, 1000)}`;
}

/** Whatever fails before the deploy does so while there is at most a build. */
function typeOfLog(status: string): LogType {
  return status.includes("DEPLOY") ? "deploy" : "build";
}

function hintAt({ type }: FailureLog): string {
  return `The end of the ${type} log stands in this step's log and in the job summary; check app_config_path, repo_ref and secrets.`;
}

async function readFailureLog(type: LogType, deployment: DeploymentRun): Promise<FailureLog | undefined> {
  const { inputs, progress, ports } = deployment;
  const { deploymentId, revisionId } = progress.facts;
  if (deploymentId === undefined || revisionId === undefined) return undefined;
  const cancelled = AbortSignal.any([ports.cancelled, AbortSignal.timeout(patienceMs)]);
  const plane = new ControlPlane(inputs.controlPlane, { ...ports, cancelled }, impatient);
  try {
    const entries = await readLogTail(
      (query) => plane.readRevisionLog(deploymentId, revisionId, { type, ...query }),
      mostLogLines,
    );
    return failureLogOf(type, entries, ports.redact.words);
  } catch (error) {
    if (error instanceof ActionError || cancelled.aborted) return undefined;
    throw error;
  }
}
