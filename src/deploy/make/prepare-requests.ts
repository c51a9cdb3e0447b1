import type { InputProblem } from "../../errors.ts";
import { inputFailure, missingInput } from "../../input-error.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { DividedUpdate, Platform } from "../../platform/platform.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { code, inputName, listOf, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import type { DeployPlan } from "../plan/plan.ts";
import { requireIntegration } from "./integration.ts";

/** Divides the update into the requests that the platform takes. Warns if they remove secrets. */
export function prepareUpdate({ plan, settings, report }: DeployJob, deployment: Deployment): DividedUpdate {
  const { platform } = settings;
  const names = platform.removedSecrets(plan.update, deployment);
  if (names.length > 0) {
    const them = names.length === 1 ? text`it, list it` : text`them, list them`;
    report.warning(
      text`This update removes ${listOf(names.map((name) => code(name)))} from deployment ${code(deployment.id)}, because ${inputName("secrets")} and ${inputName("env_vars")} together replace all earlier variables. To keep ${them} there too: in ${inputName("env_vars")} what is not secret.`,
    );
  }
  return platform.divideUpdate(plan.update, deployment.sourceKind ?? plan.desired.sourceKind);
}

/** The requests of a create. An update follows if the platform takes the archive or image only then. */
export interface PlannedCreate extends Partial<DividedUpdate> {
  readonly create: CreateRequest;
}

/**
 * Completes the create request, and returns it with what follows it. Warns of what it implies.
 *
 * @throws Failure if an input is missing, or if not exactly one integration covers the repository
 */
export async function prepareCreate(job: DeployJob): Promise<PlannedCreate> {
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
  if (desired.givenSourceKind === undefined && desired.imageUri !== undefined) {
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
