import {
  NoListError,
  requireDeployment,
  requireName,
  requireNotDeleted,
} from "../../deployments/look-up-deployment.ts";
import { expectedRepository, requireRepository } from "../../deployments/require-repository.ts";
import { Failure, toResult } from "../../errors.ts";
import { poll } from "../../http/poll.ts";
import { type InputProblem, inputFailure } from "../../input-problem.ts";
import { type Deployment, isBeingDeleted } from "../../platform/deployment.ts";
import { code, inputName, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { deploysRepositoryOfRun } from "../plan/desired-on-create.ts";

/**
 * Returns the deployment to update (docs/specification.md#finding-the-deployment); undefined to create one. If there is no list
 * to search, this only warns. The platform refuses a create if the name is taken.
 *
 * @throws Failure for an unknown id, or if the deployment can't be updated, or belongs to another repository
 */
export async function resolveTarget(context: DeployContext): Promise<Deployment | undefined> {
  const { target } = context.plan;
  try {
    const deployment =
      target.kind === "id"
        ? await requireDeployment(context, target)
        : await lookUpAfterDeletion(context, target.name);
    if (deployment !== undefined) acceptDeployment(context, deployment);
    return deployment;
  } catch (error) {
    if (!(error instanceof NoListError)) throw error;
    context.report.warning(text`${error.ending.message} Trying to create it. ${error.ending.hint}`);
    return undefined;
  }
}

/**
 * Returns the deployment that another run has created since the look-up.
 *
 * @throws `refusal`, that of the create, if there is none
 */
export async function resolveTakenName(context: DeployContext, refusal: Failure): Promise<Deployment> {
  const { cause } = refusal;
  const found = await toResult(context.lookUp);
  if (found.error !== undefined)
    throw found.error.addDetails(cause instanceof Failure ? cause.ending.message : undefined);
  if (found.value === undefined) throw refusal;
  acceptDeployment(context, found.value);
  return found.value;
}

/**
 * Reports a deployment as the one to update.
 *
 * @throws Failure if it can't be updated. One of another repository, or with another name by now, is not reported
 */
export function acceptDeployment(context: DeployContext, deployment: Deployment): void {
  const { plan, settings, report, workflow } = context;
  const { target, desired } = plan;
  if (target.kind === "name") {
    requireName(deployment, target.name);
    requireRepository(target.name, deployment, expectedRepository(desired, workflow));
  }
  report.setDeployment(deployment);
  requireNotDeleted(deployment);
  const problems = [
    ...settings.platform.findUpdateProblems(desired, deployment),
    ...findRefProblem(context, deployment),
  ];
  if (problems.length > 0) throw inputFailure(problems);
}

/** Another repository may have a branch of the same name, whose revision would pass for this run's. */
function findRefProblem(context: DeployContext, deployment: Deployment): InputProblem[] {
  const { id, repoUrl } = deployment;
  if (!context.plan.isRefOfRun || repoUrl === undefined || deploysRepositoryOfRun(context, deployment))
    return [];
  const problem = phrase`is required, because deployment ${code(id)} is one of ${code(repoUrl)}`;
  const hint = text`Correct ${inputName("deployment_id")}. If this repository was renamed, set ${inputName("repo_url")}.`;
  return [{ input: "repo_ref", problem, hint }];
}

const deletionPollMs = 2000;

/**
 * Looks the name up until no deployment of it is being deleted, for at most the run's time; in a dry run once.
 *
 * @throws NoListError without a list, Failure if the deletion takes too long
 */
async function lookUpAfterDeletion(context: DeployContext, name: string): Promise<Deployment | undefined> {
  const { clock, options } = context;
  const taken = text`The name ${code(name)} is taken by a deployment that is being deleted.`;
  const pending = text`${taken} Waiting until it is gone.`;
  const lookUp = async () => {
    const deployment = await context.lookUp();
    const isTaken = deployment !== undefined && isBeingDeleted(deployment);
    return { endsPolling: !isTaken || options.dryRun, deployment: isTaken ? undefined : deployment, pending };
  };
  const times = { deadline: clock.now() + options.timeoutMs, delayMs: deletionPollMs };
  const { endsPolling, deployment } = await poll(lookUp, times, context);
  if (endsPolling) return deployment;
  throw new Failure(taken, {
    hint: text`Wait until the platform has deleted it, raise ${inputName("timeout_seconds")}, or choose a different name.`,
  });
}
