import { type AgentClient, connectAgent } from "../../agent/agent-client.ts";
import { requestedAgentChecks } from "../../checks/agent-checks.ts";
import type { Check } from "../../checks/check.ts";
import { CheckError } from "../../checks/check-error.ts";
import { commitCheck } from "../../checks/commit-check.ts";
import type { ComparedAgent } from "../../checks/comparison-check.ts";
import { describePassedChecks } from "../../checks/describe-results.ts";
import { runChecks } from "../../checks/run-checks.ts";
import { servingCheck } from "../../checks/serving-check.ts";
import type { Result } from "../../errors.ts";
import { id, type Message, text } from "../../text/message.ts";
import { headSha } from "../../workflow-run.ts";
import type { LiveDeployment } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import type { RunRevision } from "../make/run-revision.ts";
import { showServerLog } from "../watch/logs/show-log-end.ts";

/**
 * Runs the checks that the inputs ask for, and returns their messages. If one fails, it shows the end of the server's log.
 *
 * @throws CheckError if a check fails
 */
export async function checkRevision(
  job: RevisionJob,
  ours: RunRevision,
  live: LiveDeployment,
  comparedAgent?: ComparedAgent,
): Promise<readonly Message[]> {
  const agent = connectAgent(live.deployment.url, job.options.checks, job);
  const results = await runChecks(job, agent, requestedChecks(job, agent, live, comparedAgent));
  const failed = results.filter(({ result }) => result === "failed");
  if (failed.length === 0) return describePassedChecks(results);
  // The server's log explains neither a wrong commit nor a failed comparison.
  const concernsServer = failed.some(({ kind }) => kind !== "comparison" && kind !== "commit check");
  const log = concernsServer ? await showServerLog(job, ours) : undefined;
  throw new CheckError(text`Revision ${id(ours.revisionId)} went live, but`, results, log?.place);
}

/**
 * Returns the checks that the inputs ask for. The serving check is the first, so that this revision responds to the others. The
 * commit check is the last, so that the agent itself is known to be fine if it fails.
 */
function requestedChecks(
  job: RevisionJob,
  agent: Result<AgentClient>,
  { revision }: LiveDeployment,
  comparedAgent: ComparedAgent | undefined,
): Check[] {
  const { serving, healthTimeoutMs: timeoutMs, verifyCommit } = job.options.checks;
  return [
    ...(serving === "off"
      ? []
      : [servingCheck(job, agent, { mode: serving, timeoutMs, revisionId: revision.id })]),
    ...requestedAgentChecks(job, agent, job.options.checks, comparedAgent),
    // An upload has the files of this run, and no commit that the platform could have built instead.
    ...(verifyCommit && job.upload === undefined
      ? [commitCheck(headSha(job.workflow), revision.content?.commitSha)]
      : []),
  ];
}
