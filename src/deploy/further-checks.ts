import type { Agent } from "../agent/agent-client.ts";
import type { Check } from "../checks/check.ts";
import { commitCheck } from "../checks/commit-check.ts";
import { builtCommit } from "./built-commit.ts";
import { type ComparedDeployment, comparisonCheck } from "./compared-deployment.ts";
import type { DeployJob } from "./job.ts";
import type { LiveDeployment } from "./live.ts";

/** The checks of a deploy that need more than the agent: of its contract and of its commit. */
export function furtherChecks(
  job: DeployJob,
  agent: Agent,
  live: LiveDeployment,
  compared: ComparedDeployment | undefined,
): Check[] {
  const { options, plan } = job;
  // An upload holds what this run checked out.
  const isVerified = options.verifyCommit && plan.desired.upload === undefined;
  return [
    ...(compared === undefined ? [] : [comparisonCheck(job, agent, compared)]),
    // The last one, because no rollback follows it.
    ...(isVerified ? [commitCheck(builtCommit(job, live))] : []),
  ];
}
