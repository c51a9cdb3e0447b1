import type { GitHub } from "../github/client.ts";
import { preflight } from "../github/preflight.ts";
import { InputErrors } from "../inputs/errors.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { sameRepository } from "../plan/repository.ts";

/** Looks, where this repository is deployed, whether ref and configuration file exist. @throws InputErrors */
export async function checkRepository(
  plan: DeploymentPlan,
  run: WorkflowRun,
  github: GitHub | undefined,
): Promise<void> {
  const ownUrl = repositoryUrl(run);
  if (github === undefined || ownUrl === undefined || plan.repoUrl === undefined) return;
  if (!sameRepository(plan.repoUrl, ownUrl)) return;
  const problems = await preflight(plan, run.sha, github);
  if (problems.length > 0) throw new InputErrors(problems);
}
