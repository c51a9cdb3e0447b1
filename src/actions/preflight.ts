import type { Context } from "../context.ts";
import { locate, otherRepository } from "../deployment/locate.ts";
import type { DeploymentPlan } from "../deployment/plan.ts";
import { sameRepository } from "../deployment/repository.ts";
import type { GitHub } from "../github/client.ts";
import { type Fetched, preflight } from "../github/preflight.ts";
import { InputErrors } from "../inputs/errors.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { isBeingDeleted } from "../platform/deployment.ts";

/** What a check of the repository needs beside the plan. */
interface PreflightTools {
  readonly run: WorkflowRun;
  readonly github: GitHub | undefined;
  readonly plane: ControlPlane;
  readonly context: Context;
}

/**
 * Looks, where this repository is deployed, whether ref and configuration file exist. What is missing is held against
 * the inputs only if it would be fetched, for which the control plane may have to be asked.
 *
 * @throws InputErrors, and the errors of `ControlPlane` and `locate`.
 */
export async function checkRepository(plan: DeploymentPlan, tools: PreflightTools): Promise<void> {
  const { run, github } = tools;
  const ownUrl = repositoryUrl(run);
  const fetched = fetchedBy(plan);
  if (github === undefined || fetched === undefined || ownUrl === undefined) return;
  if (plan.repoUrl === undefined || !sameRepository(plan.repoUrl, ownUrl)) return;
  const problem = await preflight(fetched, run.sha, github);
  if (problem === undefined) return;
  const onCreateOnly = problem.input === "app_config_path" && fetched.byDefault;
  if (await isFetched(plan, onCreateOnly, tools)) throw new InputErrors([problem]);
}

function fetchedBy({ source, create }: DeploymentPlan): Fetched | undefined {
  const { repoRef: ref, appConfigPath: given } = source;
  const byDefault = create?.source_revision_config.app_config_path ?? undefined;
  return ref === undefined
    ? undefined
    : { ref, path: given ?? byDefault, byDefault: given === undefined && byDefault !== undefined };
}

/**
 * Whether what is missing would be fetched: a deployment that is given by its id may be another repository's, and
 * one that is there is sent no path by default.
 */
async function isFetched(
  plan: DeploymentPlan,
  onCreateOnly: boolean,
  { plane }: PreflightTools,
): Promise<boolean> {
  const { target, repoUrl } = plan;
  if (target.kind === "id") {
    return otherRepository(await plane.getDeployment(target.id), repoUrl) === undefined;
  }
  if (!onCreateOnly) return true;
  const located = await locate(plan, plane);
  // Without a list to look in, the record of an earlier run may still find it.
  return located.kind === "missing" ? located.listed : isBeingDeleted(located.deployment);
}
