import { Failure, type InputProblem } from "../../errors.ts";
import type { RequestError } from "../../http/request-error.ts";
import { inputFailure, missingInput } from "../../inputs/input-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { DividedUpdate, Platform } from "../../platform/platform.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { code, inputName, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import type { DeployPlan } from "../plan/plan.ts";
import { requireIntegration } from "./integration.ts";

/** The requests of a create. An update follows if the platform takes the archive or image only then. */
interface PlannedCreate extends Partial<DividedUpdate> {
  readonly create: CreateRequest;
}

/** Plans a create. @throws Failure if an input is missing, or if not exactly one integration covers the repository */
export async function planCreate(job: DeployJob): Promise<PlannedCreate> {
  const create = await completeCreateRequest(job);
  const { platform } = job.settings;
  const { update, desired } = job.plan;
  if (!platform.createsWithoutRevision(desired.sourceKind)) return { create };
  return { create, ...platform.divideUpdate(update, desired.sourceKind) };
}

/** Returns the create request. If no integration was given, adds the one that covers the repository. */
async function completeCreateRequest(job: DeployJob): Promise<CreateRequest> {
  const { plan, settings, report } = job;
  const { create: request } = plan;
  const problems = missingInputs(plan, request, settings.platform);
  if (problems.length > 0) throw inputFailure(problems);
  for (const warning of settings.platform.createWarnings(request, settings.url)) report.warning(warning);
  const { deployment_type: type, integration_id: integration, repo_url: repoUrl } = request.source_config;
  if (job.isProduction && plan.desired.deploymentType === undefined && type !== undefined) {
    report.warning(
      text`The production deployment ${code(request.name)} gets the default ${inputName("deployment_type")} ${code(type)}, which can't be changed later. To use a different type, set ${inputName("deployment_type")}.`,
    );
  }
  if (request.source !== sourceKinds.github || integration !== null || repoUrl === null) return request;
  const integrationId = await requireIntegration(job, repoUrl);
  report.info(text`Integration ${code(integrationId)} covers ${code(repoUrl)}.`);
  return { ...request, source_config: { ...request.source_config, integration_id: integrationId } };
}

const meanings = {
  integration_id: text`the ID of the platform's integration that has access to the repository`,
  repo_url: text`the URL of the repository`,
  app_config_path: text`the path of the app's configuration file in the repository`,
};

/** Returns a problem for each input that a create needs and that was not given. */
function missingInputs(
  { desired }: DeployPlan,
  { source, source_config: config, source_revision_config: revision }: CreateRequest,
  { listIntegrations }: Platform,
): InputProblem[] {
  if (desired.source === undefined && desired.imageUri !== undefined) {
    const problem = text`is required to create a deployment from ${inputName("image_uri")}`;
    const hint = text`Set ${inputName("source")} to ${code(sourceKinds.otherImage)}, or to ${code(sourceKinds.platformImage)} for an image in the registry of LangSmith's cloud.`;
    return [{ input: "source", problem, hint }];
  }
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
      hint: text`Set ${inputName(name)} to ${meanings[name]}. To deploy an image instead, set ${inputName("source")} and ${inputName("image_uri")}. LangSmith Deployment needs ${code("platform: langsmith")}.`,
    }));
}

/** Creates the deployment. If the platform refuses the default type because it sleeps when idle, another type is sent. */
export async function sendCreate(
  { controlPlane, plan, report, settings }: DeployJob,
  request: CreateRequest,
): Promise<Deployment> {
  try {
    return await controlPlane.createDeployment(request);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const type = settings.platform.fallbackType(error);
    if (type === undefined) throw error;
    const { message } = error.ending;
    if (plan.desired.deploymentType !== undefined) {
      const hint = text`Set ${inputName("deployment_type")} to ${code("dev")} or ${code("dedicated")}: this platform has no ${code("serverless")}.`;
      throw new Failure(message, { hint, cause: error });
    }
    const sourceConfig = { ...request.source_config, deployment_type: type };
    report.warning(
      text`${message} Creating ${code(request.name)} with ${code(`deployment_type: ${type}`)} instead, which can't be changed later.`,
    );
    return await controlPlane.createDeployment({ ...request, source_config: sourceConfig });
  }
}

/** Returns the failure if the platform refuses a create with 409, but lists no deployment of the name. */
export function nameTakenFailure(name: string, refusal: RequestError): Failure {
  return new Failure(
    text`Could not create ${code(name)}: the platform says that the name is taken, but lists no deployment of that name. ${refusal.ending.message}`,
    {
      hint: text`Choose a different ${inputName("name")}: waiting does not help. An unlisted deployment holds this one, or the tracing project of a deleted one, which you can delete on the platform. To avoid it, set ${code("delete_tracing_project: true")} in preview, sweep and delete.`,
      cause: refusal,
    },
  );
}
