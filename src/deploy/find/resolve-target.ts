import { NoListError, requireDeployment } from "../../deployments/look-up-deployment.ts";
import { requireRepository } from "../../deployments/require-repository.ts";
import { Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { inputFailure } from "../../input-problem.ts";
import { type Deployment, isBeingDeleted } from "../../platform/deployment.ts";
import { code, inputName, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";

/** The deployment to update, or the name of the one to create. */
export type ResolvedTarget =
  | { readonly deployment: Deployment }
  | { readonly deployment: undefined; readonly name: string };

/**
 * Finds what a plan updates or creates (docs/specification.md#finding-the-deployment). If there is no list to search, this
 * only warns. Then a create is tried, which the platform refuses if the name is taken.
 *
 * @throws Failure for an unknown id, or if the deployment can't be updated, or belongs to another repository
 */
export async function resolveTarget(context: DeployContext): Promise<ResolvedTarget> {
  const { target } = context.plan;
  if (target.kind === "id")
    return { deployment: requireUpdatable(context, await requireDeployment(context, target)) };
  const { name } = target;
  try {
    return { deployment: await findUpdatableNamed(context, name), name };
  } catch (error) {
    if (!(error instanceof NoListError)) throw error;
    context.report.warning(text`${error.ending.message} Trying to create it. ${error.ending.hint}`);
    return { deployment: undefined, name };
  }
}

/**
 * Finds the deployment of a name; undefined if there is none. If one is being deleted, this waits until it is gone, for at most
 * the run's time.
 *
 * @throws NoListError without a list, Failure if the deployment can't be updated, or belongs to another repository
 */
export async function findUpdatableNamed(
  context: DeployContext,
  name: string,
): Promise<Deployment | undefined> {
  const { deployment } = await lookUpAfterDeletion(context, name);
  if (deployment === undefined) return undefined;
  requireRepository(name, deployment, context.plan.desiredOnCreate.repoUrl);
  context.report.setDeployment(deployment);
  return requireUpdatable(context, deployment);
}

function requireUpdatable({ plan, settings }: DeployContext, deployment: Deployment): Deployment {
  const problems = settings.platform.findUpdateProblems(plan.desired, deployment);
  if (problems.length > 0) throw inputFailure(problems);
  return deployment;
}

const deletionPollMs = 2000;

/** Looks the name up until no deployment of it is being deleted; in a dry run once. @throws Failure if it takes too long */
async function lookUpAfterDeletion(
  context: DeployContext,
  name: string,
): Promise<{ readonly deployment: Deployment | undefined }> {
  const { clock, options, report } = context;
  const takenMessage = text`The name ${code(name)} is taken by a deployment that is being deleted.`;
  let isWaiting = false;
  const lookUp = async () => {
    const deployment = await context.lookUp(name);
    if (deployment === undefined || !isBeingDeleted(deployment)) return { deployment };
    if (options.dryRun) return { deployment: undefined };
    if (!isWaiting) report.info(text`${takenMessage} Waiting until it is gone.`);
    isWaiting = true;
    return undefined;
  };
  const deadline = clock.now() + options.timeoutMs;
  const policy = { deadline, delayMs: deletionPollMs, mayKeepPolling: () => false };
  const polled = await pollUntil(lookUp, policy, context);
  if (polled.value !== undefined) return polled.value;
  throw new Failure(takenMessage, {
    hint: text`Wait until the platform has deleted it, raise ${inputName("timeout_seconds")}, or choose a different name.`,
  });
}
