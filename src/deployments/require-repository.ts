import { Failure } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import { type DesiredDeployment, isFromGitHub } from "../platform/desired-deployment.ts";
import { isSameRepository } from "../platform/same-repository.ts";
import { code, inputName, text } from "../text/message.ts";
import { repositoryUrl, type WorkflowRun } from "../workflow-run.ts";

export function requireRepository(
  name: string,
  { repoUrl }: Deployment,
  expectedUrl: string | undefined,
): void {
  if (repoUrl === undefined || expectedUrl === undefined || isSameRepository(repoUrl, expectedUrl)) return;
  throw new Failure(
    text`Deployment ${code(name)} belongs to ${code(repoUrl)}, not to ${code(expectedUrl)}. No changes were sent.`,
    {
      hint: text`Choose a different ${inputName("name")}. If the repository was renamed, use the deploy action with ${inputName("deployment_id")} and ${inputName("repo_url")}. To delete the deployment, use the delete action.`,
    },
  );
}

/** Returns the repository of the input, or this repository if the source is GitHub. */
export function expectedRepository(
  desired: Pick<DesiredDeployment, "sourceKind" | "repoUrl">,
  workflow: WorkflowRun,
): string | undefined {
  return desired.repoUrl ?? (isFromGitHub(desired) ? repositoryUrl(workflow) : undefined);
}
