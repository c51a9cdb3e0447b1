import type { ControlPlane } from "../control-plane/client.ts";
import type { GitHub } from "../github/client.ts";
import { preflight } from "../github/preflight.ts";
import { InputErrors } from "../inputs/errors.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { sameRepository } from "../plan/repository.ts";

/**
 * Looks, where this repository is deployed, whether ref and configuration file exist. A deployment that is given by
 * its id may be another repository's, so it is asked before anything is held against the inputs.
 *
 * @throws InputErrors, and AnswerError where the deployment that is given doesn't exist.
 */
export async function checkRepository(
  plan: DeploymentPlan,
  run: WorkflowRun,
  github: GitHub | undefined,
  plane: ControlPlane,
): Promise<void> {
  const ownUrl = repositoryUrl(run);
  if (github === undefined || ownUrl === undefined || plan.repoUrl === undefined) return;
  if (!sameRepository(plan.repoUrl, ownUrl)) return;
  const problems = await preflight(plan, run.sha, github);
  if (problems.length === 0) return;
  const { target } = plan;
  const shown = target.kind === "id" ? (await plane.getDeployment(target.id)).repoUrl : undefined;
  if (shown === undefined || sameRepository(shown, ownUrl)) throw new InputErrors(problems);
}
