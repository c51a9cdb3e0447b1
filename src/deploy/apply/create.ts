import { type InputProblem, inputError, missingInput } from "../../inputs/input-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { missingListMessage } from "../../report/sentences/deploy.ts";
import { code, input, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import {
  type FoundDeployment,
  findByName,
  isOfOtherRepository,
  reportAndCheckFound,
} from "./find-deployment.ts";
import { identifyRevision } from "./identify-revision.ts";
import { findIntegration } from "./integration.ts";
import { type RunRevision, revisionBaseline } from "./revision-history.ts";
import {
  pollForEffect,
  sendWrite,
  type UnconfirmedWrite,
  UnconfirmedWriteError,
} from "./unconfirmed-write.ts";

export interface Created {
  readonly kind: "created";
  readonly deployment: Deployment;
  /** By the platform's clock. */
  readonly lastReadAt: number;
  readonly requestedAt: number;
}

/** What came of a create. If the response was lost, a deployment that has the name now: another run may have created it. */
export type CreateResult = Created | FoundDeployment;

/**
 * Creates the deployment. `request`: the one of `completeCreateRequest`.
 *
 * @throws ResponseError, 409 if the name is taken, and UnconfirmedWriteError.
 */
export async function createDeployment(job: DeployJob, request: CreateRequest): Promise<CreateResult> {
  const name = code(request.name);
  const requestedAt = job.clock.now();
  const { lastReadAt } = job.controlPlane;
  const { response, unconfirmed } = await sendWrite(job, {
    what: text`the creation of ${name}`,
    remains: text`A deployment named ${name} may have been left behind.`,
    requestedAt,
    send: () => job.controlPlane.createDeployment(request),
  });
  if (unconfirmed !== undefined) {
    const found = await findCreated(job, request.name, unconfirmed);
    job.report.info(
      text`Deployment ${code(found.deployment.id)} has this name now. Another run may have created it. Updating it.`,
    );
    reportAndCheckFound(job, found);
    return found;
  }
  job.report.deployment(response, true);
  return { kind: "created", deployment: response, lastReadAt, requestedAt };
}

/** The first revision of a deployment, which the create made. */
export async function firstRevision(
  job: DeployJob,
  { deployment, lastReadAt, requestedAt }: Created,
): Promise<RunRevision> {
  const { source } = job.plan;
  const deploymentId = deployment.id;
  const listed = { listed: [], isComplete: false };
  const baseline = { ...revisionBaseline(listed, {}), isCreated: true, requestedAt: lastReadAt };
  const identified = await identifyRevision(job, {
    deploymentId,
    created: true,
    namedId: deployment.latestRevisionId ?? undefined,
    baseline,
    source,
  });
  return { deploymentId, ...identified, source, requestedAt, baseline, liveBefore: undefined };
}

/**
 * The request that creates what is planned, with the integration that covers the repository if none was given.
 *
 * @throws Failure if an input is missing, or if not exactly one integration covers the repository.
 */
export async function completeCreateRequest(job: DeployJob): Promise<CreateRequest> {
  const request = job.plan.create;
  // Finding a deployment by its id fails if there is none.
  if (request === undefined) throw new Error("Only a deployment that is given by its name can be created.");
  const problems = missingInputs(request, job.settings.platform);
  if (problems.length > 0) throw inputError(problems);
  const warning = job.settings.platform.createWarning(request, job.settings.url);
  if (warning !== undefined) job.report.warning(warning);
  if (job.isProduction && job.plan.desired.deploymentType === undefined) {
    job.report.warning(
      text`The production deployment ${code(request.name)} gets the default ${input("deployment_type")} ${code(request.source_config.deployment_type)}, which can't be changed later. To use a different type, set ${input("deployment_type")}.`,
    );
  }
  const { integration_id: integration, repo_url: repoUrl } = request.source_config;
  if (request.source !== sourceKinds.github || integration !== null || repoUrl === null) return request;
  const integrationId = await findIntegration(job, repoUrl);
  job.report.info(text`Integration ${code(integrationId)} covers ${code(repoUrl)}.`);
  return { ...request, source_config: { ...request.source_config, integration_id: integrationId } };
}

const meanings = {
  integration_id: text`the ID of the platform's integration that has access to the repository`,
  repo_url: text`the URL of the repository`,
  app_config_path: text`the path of the app's configuration file in the repository`,
};

/** The inputs without which the platform can't fetch a repository. */
function missingInputs(
  { source, source_config: config, source_revision_config: revision }: CreateRequest,
  { listIntegrations }: Platform,
): InputProblem[] {
  if (source !== sourceKinds.github) return [];
  const isMissing = {
    integration_id: config.integration_id === null && listIntegrations === undefined,
    repo_url: config.repo_url === null,
    app_config_path: revision.app_config_path === null,
  };
  return (["integration_id", "repo_url", "app_config_path"] as const)
    .filter((name) => isMissing[name])
    .map((name) => ({
      ...missingInput(name),
      hint: text`Set ${input(name)} to ${meanings[name]}. To deploy an image instead, set ${input("source")} and ${input("image_uri")}. LangSmith Deployment needs ${code("platform: langsmith")}.`,
    }));
}

/** The deployment that has the name after an unconfirmed create; one of another repository does not count. */
async function findCreated(
  job: DeployJob,
  name: string,
  unconfirmed: UnconfirmedWrite,
): Promise<FoundDeployment> {
  const polling = { ...job, controlPlane: job.controlPlane.withoutRetry() };
  const findNamed = async () => {
    const found = await findByName(polling, name);
    if (found.kind === "missing") return found.hasList ? undefined : found;
    return isOfOtherRepository(found.deployment, job.plan.repoUrl) ? undefined : found;
  };
  const found = await pollForEffect(job, findNamed, unconfirmed);
  if (found === undefined) throw new UnconfirmedWriteError(unconfirmed);
  if (found.kind !== "missing") return found;
  throw new UnconfirmedWriteError(unconfirmed, missingListMessage(name));
}
