import { expectedRepository } from "../../deployments/require-repository.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { type DesiredDeployment, isFromGitHub, sourceKinds } from "../../platform/desired-deployment.ts";
import { isRepositoryOfRun } from "../../platform/same-repository.ts";
import type { DeployContext } from "../deploy-context.ts";

type PlannedContext = Pick<DeployContext, "plan" | "settings" | "workflow">;

/** Returns what is planned, with the defaults that a create sends. */
export function desiredOnCreate({ plan, settings, workflow }: PlannedContext): DesiredDeployment {
  const { desired } = plan;
  const { platform } = settings;
  const sourceKind = desired.sourceKind ?? sourceKinds.github;
  const defaultPath = isFromGitHub(desired) ? platform.defaultAppConfigPath : undefined;
  return {
    ...desired,
    sourceKind,
    repoUrl: expectedRepository(desired, workflow),
    deploymentType: desired.deploymentType ?? platform.defaultType(sourceKind),
    content: { ...desired.content, appConfigPath: desired.content.appConfigPath ?? defaultPath },
  };
}

/** Whether the repository that is deployed is the one of the run. `existing`: undefined for a create. */
export function deploysRepositoryOfRun(
  { plan: { desired }, workflow }: Pick<PlannedContext, "plan" | "workflow">,
  existing: Deployment | undefined,
): boolean {
  const url = desired.repoUrl ?? existing?.repoUrl ?? expectedRepository(desired, workflow);
  return isRepositoryOfRun(url, workflow);
}
