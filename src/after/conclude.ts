import type { DeploymentRun } from "../actions/deployment-run.ts";
import type { Ending } from "../report/ending.ts";
import { verifyCommit } from "./verify-commit.ts";

/** What follows the end of this run's revision, as the inputs ask for it; answers with how the run ends. */
export async function conclude(ending: Ending, deployment: DeploymentRun): Promise<Ending> {
  if (ending.outcome !== "deployed") return ending;
  const { plan, run, inputs, progress, ports } = deployment;
  const question = { plan, run, built: progress.facts.commitSha, required: inputs.after.verifyCommit };
  return verifyCommit(question, ports) ?? ending;
}
