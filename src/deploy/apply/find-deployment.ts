import { Failure } from "../../errors.ts";
import type { Target } from "../../inputs/control-plane.ts";
import { inputError } from "../../inputs/input-error.ts";
import { isSameRepository } from "../../platform/compare-source.ts";
import { type Deployment, isBeingDeleted } from "../../platform/deployment.ts";
import { isUnsupported, undefinedIf404 } from "../../platform/error-kinds.ts";
import { missingListMessage } from "../../report/sentences/deploy.ts";
import { code, input, text } from "../../text/message.ts";
import type { DeployJob, PlatformJob } from "../job.ts";

export interface FoundDeployment {
  /** `being_deleted`: of a name, the only one; a new one can be created once it is gone. */
  readonly kind: "found" | "being_deleted";
  readonly deployment: Deployment;
}

type FindResult = FoundDeployment | MissingDeployment;

/** What `findForUpdate` returned: the deployment of a plan before this run's write, which is reported and can be updated. */
export type ExistingDeployment = FindResult;

interface MissingDeployment {
  readonly kind: "missing";
  /** False if the control plane has no list of deployments to search. */
  readonly hasList: boolean;
}

/** What identifies a deployment. `repoUrl`: the repository that one found by name must show, if it shows one. */
interface Wanted {
  readonly target: Target;
  readonly repoUrl?: string | undefined;
}

/**
 * Finds a deployment and reads it by its id (docs/specification.md#finding-the-deployment).
 *
 * @throws ResponseError for an unknown id, Failure if the name belongs to another repository, or to a deployment that must
 *   be recorded and is not.
 */
export async function findDeployment(job: PlatformJob, wanted: Wanted): Promise<FindResult> {
  const { target, repoUrl } = wanted;
  if (target.kind === "id") {
    return toFound(await job.controlPlane.getDeployment(target.id));
  }
  const { name, recordedId } = target;
  const recorded = recordedId === undefined ? undefined : await readRecorded(job, name, recordedId);
  const result = recorded === undefined ? await findByName(job, name) : toFound(recorded);
  if (result.kind === "missing") return result;
  if (recorded === undefined && target.mustBeRecorded === true) throw unrecordedError(name);
  const other = otherRepository(result.deployment, repoUrl);
  if (other !== undefined) throw otherRepositoryError(name, other);
  return result;
}

/**
 * Finds the deployment of a plan, reports it, and requires that it can be updated.
 *
 * @throws what `findDeployment` and `reportAndCheckFound` throw.
 */
export async function findForUpdate(job: DeployJob): Promise<ExistingDeployment> {
  const result = await findDeployment(job, job.plan);
  if (result.kind !== "missing") reportAndCheckFound(job, result);
  return result;
}

/**
 * Reports the deployment, and requires that it can be updated, or that another one can take its name once it is deleted.
 *
 * @throws Failure if it was given by its id and is being deleted, or if an input would change what can't change or is
 *   missing for its source.
 */
export function reportAndCheckFound({ plan, settings, report }: DeployJob, found: FoundDeployment): void {
  const { kind, deployment } = found;
  if (kind === "being_deleted" && plan.target.kind === "name") return;
  report.deployment(deployment, false);
  if (kind === "being_deleted") throw beingDeletedError(deployment);
  const problems = settings.platform.findUpdateProblems(plan.desired, deployment);
  if (problems.length > 0) throw inputError(problems);
}

/** Whatever is deployed to a deployment that is being deleted goes too. */
export function beingDeletedError(deployment: Deployment): Failure {
  return new Failure(
    text`Deployment ${code(deployment.id)} is being deleted, so nothing can be deployed to it.`,
    {
      hint: text`Find out who is deleting it. To deploy the agent again, run the deploy action with its ${input("name")} and without ${input("deployment_id")}.`,
    },
  );
}

function toFound(deployment: Deployment): FoundDeployment {
  return { kind: isBeingDeleted(deployment) ? "being_deleted" : "found", deployment };
}

/** Whether a deployment shows another repository than this one. */
export function isOfOtherRepository(deployment: Deployment, expectedUrl: string | undefined): boolean {
  return otherRepository(deployment, expectedUrl) !== undefined;
}

interface OtherRepository {
  readonly shownUrl: string;
  readonly expectedUrl: string;
}

function otherRepository(
  { repoUrl: shownUrl }: Deployment,
  expectedUrl: string | undefined,
): OtherRepository | undefined {
  if (shownUrl === undefined || expectedUrl === undefined || isSameRepository(shownUrl, expectedUrl)) {
    return undefined;
  }
  return { shownUrl, expectedUrl };
}

function otherRepositoryError(name: string, { shownUrl, expectedUrl }: OtherRepository): Failure {
  return new Failure(
    text`Deployment ${code(name)} belongs to ${code(shownUrl)}, not to ${code(expectedUrl)}. No changes were sent.`,
    {
      hint: text`Choose a different name. If the repository was renamed, set ${input("repo_url")}. To update this deployment anyway, set ${input("deployment_id")}.`,
    },
  );
}

/** The recorded deployment, unless it is gone. @throws Failure if it has another name: it may be used for something else */
async function readRecorded(
  { controlPlane }: PlatformJob,
  name: string,
  id: string,
): Promise<Deployment | undefined> {
  const deployment = await undefinedIf404(controlPlane.getDeployment(id));
  if (deployment?.name === undefined || deployment.name === name) return deployment;
  throw new Failure(
    text`Deployment ${code(id)} is recorded on GitHub as ${code(name)}, but is now named ${code(deployment.name)}. It was neither changed nor deleted.`,
    {
      hint: text`Rename it back, or set a different ${input("name")}. If it is not needed any more, delete it on the platform.`,
    },
  );
}

/** A deployment was found by a name that is not the pull request's alone, and no preview of this pull request recorded it. */
function unrecordedError(name: string): Failure {
  return new Failure(
    text`Deployment ${code(name)} is not recorded on GitHub as the preview of this pull request, so it was neither changed nor deleted.`,
    {
      hint: text`Add the number of the pull request (${code("github.event.number")}) to ${input("name")}. A preview is deleted when its pull request is closed.`,
    },
  );
}

/** The deployment of this id, unless it is gone or has another name. */
async function readNamed(
  { controlPlane }: PlatformJob,
  name: string,
  id: string,
): Promise<Deployment | undefined> {
  const deployment = await undefinedIf404(controlPlane.getDeployment(id));
  return deployment?.name === undefined || deployment.name === name ? deployment : undefined;
}

/**
 * Searches the deployment of exactly this name; one that is being deleted is found only if there is no other. It is then read by
 * its id: a list may show fewer fields.
 */
export async function findByName(job: PlatformJob, name: string): Promise<FindResult> {
  let listed: Deployment | undefined;
  try {
    for await (const page of job.controlPlane.deploymentPages(name)) {
      const matches = page.filter((deployment) => deployment.name === name);
      listed = matches.find((match) => !isBeingDeleted(match)) ?? listed ?? matches[0];
      if (listed !== undefined && !isBeingDeleted(listed)) break;
    }
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return { kind: "missing", hasList: false };
  }
  const deployment = listed && (await readNamed(job, name, listed.id));
  return deployment ? toFound(deployment) : { kind: "missing", hasList: true };
}

/** Warns that a name can't be searched. */
export function warnOfMissingList({ report }: PlatformJob, name: string): void {
  report.warning(
    text`${missingListMessage(name)} If it should have one, check ${input("control_plane_url")}. To update an existing deployment, set ${input("deployment_id")}.`,
  );
}
