import { NoListError, requireDeployment } from "../../deployments/look-up-deployment.ts";
import { requireRepository } from "../../deployments/require-repository.ts";
import { Failure, toResult } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { inputFailure } from "../../input-error.ts";
import { type Deployment, isBeingDeleted } from "../../platform/deployment.ts";
import { code, inputName, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";

/**
 * Returns the deployment of a plan; undefined if it is to be created (docs/specification.md#finding-the-deployment). If one of
 * this name is being deleted, this waits until it is gone, for at most the run's time. If there is no list to search, it only
 * warns. Then a create is tried, which the platform refuses if the name is taken. `needsList`: whether it fails without one.
 * `onDeletion`: called if this waits for a deletion.
 *
 * @throws Failure for an unknown id, or if the deployment can't be updated, or belongs to another repository
 */
export async function findTarget(
  job: DeployJob,
  { needsList = false, onDeletion = () => {} } = {},
): Promise<Deployment | undefined> {
  const { plan, report, settings } = job;
  const { target } = plan;
  let deployment: Deployment | undefined;
  if (target.kind === "id") {
    deployment = await requireDeployment(job, target);
  } else {
    const found = await toResult(() => lookUpAfterDeletion(job, target.name, onDeletion), job.cancelled);
    if ("error" in found) {
      if (needsList || !(found.error instanceof NoListError)) throw found.error;
      report.warning(text`${found.error.ending.message} ${found.error.ending.hint}`);
      return undefined;
    }
    deployment = found.value;
    if (deployment === undefined) return undefined;
    requireRepository(target.name, deployment, plan.create.repoUrl);
    report.setDeployment(deployment);
  }
  const problems = settings.platform.findUpdateProblems(plan.desired, deployment);
  if (problems.length > 0) throw inputFailure(problems);
  return deployment;
}

const deletionPollMs = 2000;

/** Finds the deployment, after its deletion if one has begun. A dry run does not wait. @throws Failure if it takes too long */
async function lookUpAfterDeletion(
  job: DeployJob,
  name: string,
  onDeletion: () => void,
): Promise<Deployment | undefined> {
  const { clock, options, report } = job;
  const takenMessage = text`The name ${code(name)} is taken by a deployment that is being deleted.`;
  let wasReported = false;
  const lookUp = async () => {
    const deployment = await job.lookUp();
    if (deployment === undefined || !isBeingDeleted(deployment)) return { deployment };
    if (options.dryRun) return { deployment: undefined };
    if (!wasReported) report.info(text`${takenMessage} Waiting until it is gone.`);
    wasReported = true;
    onDeletion();
    return undefined;
  };
  const deadline = clock.now() + options.timeoutMs;
  const policy = { deadline, delayMs: deletionPollMs, mayKeepPolling: () => false };
  const polled = await pollUntil(lookUp, policy, job);
  if ("value" in polled) return polled.value.deployment;
  throw new Failure(takenMessage, {
    hint: text`Wait until the platform has deleted it, raise ${inputName("timeout_seconds")}, or choose a different name.`,
  });
}
