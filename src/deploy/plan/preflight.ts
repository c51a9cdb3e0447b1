import type { Context } from "../../context.ts";
import type { GitHubClient } from "../../github/client.ts";
import { type FetchedSource, findMissingSource } from "../../github/missing-source.ts";
import { repositoryUrl } from "../../github/workflow-run.ts";
import { inputError } from "../../inputs/reader.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { isOfOtherRepository, locateDeployment } from "../apply/find-deployment.ts";
import { isSameRepository } from "./compare-source.ts";
import type { DeploymentPlan } from "./plan.ts";

/**
 * Checks on GitHub that ref and configuration file exist, if this repository is deployed, before a build fails for it
 * after minutes. What is missing is an error only if the platform would fetch it, for which it may have to be asked.
 *
 * @throws ActionError, and the errors of `ControlPlane` and `locateDeployment`.
 */
export async function checkSourceExists(
  plan: DeploymentPlan,
  github: GitHubClient | undefined,
  controlPlane: ControlPlane,
  context: Context,
): Promise<void> {
  const ownUrl = repositoryUrl(context.workflow);
  const source = sourceToFetch(plan);
  if (github === undefined || source === undefined || ownUrl === undefined) return;
  if (plan.repoUrl === undefined || !isSameRepository(plan.repoUrl, ownUrl)) return;
  const problem = await findMissingSource(source, github, context);
  if (problem === undefined) return;
  // Only a create sends the default path.
  const isFetched =
    problem.input === "app_config_path" && source.isDefaultPath
      ? await isCreate(plan, controlPlane)
      : await isOurs(plan, controlPlane);
  if (isFetched) throw inputError([problem]);
}

function sourceToFetch({ source, create }: DeploymentPlan): FetchedSource | undefined {
  const { repoRef: ref, appConfigPath: given } = source;
  const defaultPath = create?.source_revision_config.app_config_path ?? undefined;
  if (ref === undefined) return undefined;
  return { ref, path: given ?? defaultPath, isDefaultPath: given === undefined && defaultPath !== undefined };
}

/** A deployment that is given by its id may belong to another repository. */
async function isOurs({ target, repoUrl }: DeploymentPlan, controlPlane: ControlPlane): Promise<boolean> {
  return target.kind === "name" || !isOfOtherRepository(await controlPlane.getDeployment(target.id), repoUrl);
}

/** Without a list, the record of an earlier run may still find the deployment. */
async function isCreate(plan: DeploymentPlan, controlPlane: ControlPlane): Promise<boolean> {
  if (plan.target.kind === "id") return await isOurs(plan, controlPlane);
  const located = await locateDeployment(plan.target, plan.repoUrl, controlPlane);
  return located.kind === "missing" ? located.hasList : isBeingDeleted(located.deployment);
}
