import { Failure } from "../errors.ts";
import { pollUntil } from "../http/poll.ts";
import { inputError } from "../inputs/input-error.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { code, inputName, text } from "../text/message.ts";
import { NoListError, requireDeployment } from "./find-deployment.ts";
import type { DeployJob } from "./job.ts";

/**
 * The deployment of a plan; undefined if it is to be created (docs/specification.md#finding-the-deployment). One of this name
 * that is being deleted is waited for, for at most the run's time. `onNoList`: if the control plane has no list to search; by
 * default a warning, because a create can be tried: it is refused if the name is taken.
 *
 * @throws RequestError for an unknown id, Failure if the deployment can't be updated, or belongs to another repository
 */
export async function findTarget(
  job: DeployJob,
  onNoList: OnNoList = warnOfNoList(job),
): Promise<Deployment | undefined> {
  const { plan, report, settings } = job;
  const { target } = plan;
  let deployment: Deployment | undefined;
  if (target.kind === "id") {
    deployment = await requireDeployment(job, target);
  } else {
    deployment = await findOnceDeleted(job, target.name, onNoList);
    if (deployment === undefined) return undefined;
    requireRepository(target.name, deployment, plan.repoUrl);
    report.foundDeployment(deployment);
  }
  const problems = settings.platform.findUpdateProblems(plan.desired, deployment);
  if (problems.length > 0) throw inputError(problems);
  return deployment;
}

const deletionPollMs = 2000;

/** The deployment of a name. A dry run does not wait for a deletion. */
async function findOnceDeleted(
  job: DeployJob,
  name: string,
  onNoList: OnNoList,
): Promise<Deployment | undefined> {
  const { clock, report, options } = job;
  const isTaken = text`The name ${code(name)} is taken by a deployment that is being deleted.`;
  let isWaiting = false;
  const find = async () => {
    const deployment = await findUnlessNoList(job, onNoList);
    if (deployment === undefined || !isBeingDeleted(deployment)) return { deployment };
    if (options.dryRun) return { deployment: undefined };
    if (!isWaiting) report.info(text`${isTaken} Waiting for the deletion.`);
    isWaiting = true;
    return undefined;
  };
  const deadline = clock.now() + options.timeoutMs;
  const policy = { deadline, delayMs: deletionPollMs, mayKeepPolling: () => false };
  const found = await pollUntil(find, policy, job);
  if ("value" in found) return found.value.deployment;
  throw new Failure(isTaken, {
    hint: text`Wait until the platform has deleted it, raise ${inputName("timeout_seconds")}, or choose a different name.`,
  });
}

type OnNoList = (error: NoListError) => undefined;

function warnOfNoList({ report }: DeployJob): OnNoList {
  return ({ ending }) => void report.warning(text`${ending.message} ${ending.hint}`);
}

/** The deployment of a name. `onNoList`: if it can't be searched for. */
async function findUnlessNoList(job: DeployJob, onNoList: OnNoList): Promise<Deployment | undefined> {
  try {
    return await job.find();
  } catch (error) {
    if (!(error instanceof NoListError)) throw error;
    return onNoList(error);
  }
}

/** Accepts a deployment of the expected repository. @throws Failure if it shows another one */
export function requireRepository(
  name: string,
  { repoUrl }: Deployment,
  expectedUrl: string | undefined,
): void {
  if (repoUrl === undefined || expectedUrl === undefined || isSameRepository(repoUrl, expectedUrl)) return;
  throw new Failure(
    text`Deployment ${code(name)} belongs to ${code(repoUrl)}, not to ${code(expectedUrl)}. No changes were sent.`,
    {
      hint: text`Choose a different name. If the repository was renamed, set ${inputName("deployment_id")} and ${inputName("repo_url")}.`,
    },
  );
}
