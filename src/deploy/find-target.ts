import { Failure } from "../errors.ts";
import { pollUntil } from "../http/poll.ts";
import { type Target, titleOf } from "../inputs/control-plane.ts";
import { inputError } from "../inputs/input-error.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import { type Deployment, isBeingDeleted } from "../platform/deployment.ts";
import { isUnsupported, undefinedIf404 } from "../platform/error-kinds.ts";
import { code, input, text } from "../text/message.ts";
import type { DeployJob, PlatformJob } from "./job.ts";

/**
 * The deployment of a plan; undefined if it is to be created (docs/specification.md#finding-the-deployment). One of this name
 * that is being deleted is waited for, for at most the run's time.
 *
 * @throws RequestError for an unknown id, Failure if the deployment can't be updated, or belongs to another repository
 */
export async function findTarget(job: DeployJob): Promise<Deployment | undefined> {
  const { plan, report, settings } = job;
  const { target } = plan;
  let deployment: Deployment | undefined;
  if (target.kind === "id") {
    deployment = await requireDeployment(job, target);
  } else {
    deployment = await findOnceDeleted(job, target);
    if (deployment === undefined) return undefined;
    requireRepository(target.name, deployment, plan.repoUrl);
    report.deployment(deployment);
  }
  const problems = settings.platform.findUpdateProblems(plan.desired, deployment);
  if (problems.length > 0) throw inputError(problems);
  return deployment;
}

const deletionPollMs = 2000;

/** The deployment of a name. A dry run does not wait for a deletion. */
async function findOnceDeleted(
  job: DeployJob,
  target: Extract<Target, { kind: "name" }>,
): Promise<Deployment | undefined> {
  const { clock, report, options } = job;
  const name = code(target.name);
  let isWaiting = false;
  const find = async () => {
    const deployment = await findUnlessNoList(job, target);
    if (deployment === undefined || !isBeingDeleted(deployment)) return { deployment };
    if (options.dryRun) return { deployment: undefined };
    if (!isWaiting)
      report.info(
        text`The name ${name} is taken by a deployment that is being deleted. Waiting for the deletion.`,
      );
    isWaiting = true;
    return undefined;
  };
  const deadline = clock.now() + options.timeoutMs;
  const policy = { deadline, delayMs: deletionPollMs, mayKeepPolling: () => false };
  const found = await pollUntil(find, policy, job);
  if ("value" in found) return found.value.deployment;
  throw new Failure(text`The name ${name} is still taken by a deployment that is being deleted.`, {
    hint: text`Wait until the platform has deleted it, raise ${input("timeout_seconds")}, or choose a different name.`,
  });
}

/** Without a list, a create is tried: it is refused if the name is taken. */
async function findUnlessNoList(job: PlatformJob, target: Target): Promise<Deployment | undefined> {
  try {
    return await findDeployment(job, target);
  } catch (error) {
    if (!(error instanceof NoListError)) throw error;
    job.report.warning(text`${error.ending.message} ${error.ending.hint}`);
    return undefined;
  }
}

/** The control plane has no list of deployments, so that none can be found by its name. */
export class NoListError extends Failure {
  override readonly name = "NoListError";

  constructor(name: string) {
    super(text`This control plane has no list of deployments, so ${code(name)} can't be found by name.`, {
      hint: text`Set ${input("deployment_id")}. If the control plane should have a list, check ${input("control_plane_url")}.`,
    });
  }
}

/**
 * Finds a deployment and reads it by its id: a list may show fewer fields. Of two that have the name, the one that is not
 * being deleted. Undefined if no deployment has the name.
 *
 * @throws RequestError for an unknown id; Failure if there is no list to search, or if what is recorded for the name leads to
 *   something else
 */
export async function findDeployment(job: PlatformJob, target: Target): Promise<Deployment | undefined> {
  const { controlPlane } = job;
  if (target.kind === "id") return await controlPlane.getDeployment(target.id);
  const { name, recordedId, mustBeRecorded = false } = target;
  if (recordedId !== undefined) {
    const recorded = await undefinedIf404(controlPlane.getDeployment(recordedId));
    if (recorded !== undefined) return requireName(recorded, name);
  }
  const listed = await findListed(job, name);
  const found = listed && (await undefinedIf404(controlPlane.getDeployment(listed.id)));
  if (found !== undefined && mustBeRecorded) throw unrecordedError(name);
  return found && requireName(found, name);
}

async function findListed({ controlPlane }: PlatformJob, name: string): Promise<Deployment | undefined> {
  let found: Deployment | undefined;
  try {
    for await (const page of controlPlane.deploymentPages(name)) {
      const matches = page.filter((deployment) => deployment.name === name);
      found = matches.find((match) => !isBeingDeleted(match)) ?? found ?? matches[0];
      if (found !== undefined && !isBeingDeleted(found)) break;
    }
  } catch (error) {
    throw isUnsupported(error) ? new NoListError(name) : error;
  }
  return found;
}

/** @throws Failure if the deployment has another name now: of a preview's record, it may be no preview any more */
function requireName(deployment: Deployment, name: string): Deployment {
  if (deployment.name === undefined || deployment.name === name) return deployment;
  throw new Failure(
    text`Deployment ${code(deployment.id)} is named ${code(deployment.name)} now, not ${code(name)}, so it was neither changed nor deleted.`,
    {
      hint: text`If it is a preview that became something else, set its GitHub deployment to inactive. Otherwise, rename it back.`,
    },
  );
}

/** A deployment was found by a name that is not the pull request's alone. */
function unrecordedError(name: string): Failure {
  return new Failure(
    text`Deployment ${code(name)} is not recorded on GitHub as the preview of this pull request, so it was neither changed nor deleted.`,
    {
      hint: text`Add the number of the pull request (${code("github.event.number")}) to ${input("name")}. A preview is deleted when its pull request is closed.`,
    },
  );
}

/** Whatever is deployed to a deployment that is being deleted goes too. */
function beingDeletedError(deployment: Deployment): Failure {
  return new Failure(
    text`Deployment ${code(deployment.id)} is being deleted, so nothing can be deployed to it.`,
    {
      hint: text`Find out who is deleting it. To deploy the agent again, run the deploy action with its ${input("name")} and without ${input("deployment_id")}.`,
    },
  );
}

/** @throws Failure if a deployment shows another repository than this one */
export function requireRepository(
  name: string,
  { repoUrl }: Deployment,
  expectedUrl: string | undefined,
): void {
  if (repoUrl === undefined || expectedUrl === undefined || isSameRepository(repoUrl, expectedUrl)) return;
  throw new Failure(
    text`Deployment ${code(name)} belongs to ${code(repoUrl)}, not to ${code(expectedUrl)}. No changes were sent.`,
    {
      hint: text`Choose a different name. If the repository was renamed, set ${input("deployment_id")} and ${input("repo_url")}.`,
    },
  );
}

/** The deployment to update or to roll back. @throws Failure if there is none, or if it is being deleted */
export async function requireDeployment(job: PlatformJob, target: Target): Promise<Deployment> {
  const deployment = await findDeployment(job, target);
  if (deployment === undefined) {
    throw new Failure(text`There is no deployment named ${code(titleOf(target))}.`, {
      hint: text`Check ${input("name")}, ${input("workspace_id")} and ${input("control_plane_url")}.`,
    });
  }
  job.report.deployment(deployment);
  if (isBeingDeleted(deployment)) throw beingDeletedError(deployment);
  return deployment;
}
