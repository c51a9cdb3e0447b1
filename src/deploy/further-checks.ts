import type { Agent } from "../agent/agent-client.ts";
import type { Check } from "../checks/check.ts";
import { commitCheck } from "../checks/commit-check.ts";
import { type Compared, comparison } from "../checks/comparison.ts";
import { headSha } from "../github/workflow-run.ts";
import type { DeployJob } from "./job.ts";
import type { LiveDeployment } from "./live.ts";

/** The checks of a deploy that need more than the agent: of its contract and of its commit. */
export function furtherChecks(
  job: DeployJob,
  agent: Agent,
  live: LiveDeployment,
  compared: Compared | undefined,
): Check[] {
  const { options, plan, settings, workflow } = job;
  const { compare } = options.checks;
  const reading = { ...job, requestTimeoutMs: settings.requestTimeoutMs };
  // An upload holds what this run checked out.
  const isVerified = options.verifyCommit && plan.desired.upload === undefined;
  return [
    ...(compare === undefined ? [] : [comparison(reading, agent, { ...compare, compared })]),
    // The last one, because no rollback follows it.
    ...(isVerified ? [commitCheck(headSha(workflow), live.revision.commitSha)] : []),
  ];
}
