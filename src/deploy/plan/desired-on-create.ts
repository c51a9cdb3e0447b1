import { expectedRepository } from "../../deployments/require-repository.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { type DesiredDeployment, isFromGitHub, sourceKinds } from "../../platform/desired-deployment.ts";
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

/** Returns the URL of the repository that is deployed. `existing`: undefined for a create. */
export function repositoryOf(
  { plan: { desired }, workflow }: Pick<PlannedContext, "plan" | "workflow">,
  existing: Deployment | undefined,
): string | undefined {
  return desired.repoUrl ?? existing?.repoUrl ?? expectedRepository(desired, workflow);
}
