import type { PlatformContext } from "../../context.ts";
import { Failure, undefinedIf } from "../../errors.ts";
import { isUnsupported } from "../../http/request-error.ts";
import { type InputProblem, inputFailure, missingInput } from "../../input-problem.ts";
import { type DesiredDeployment, isFromGitHub, sourceKinds } from "../../platform/desired-deployment.ts";
import type { Integration, Platform } from "../../platform/platform.ts";
import { isSameRepository } from "../../platform/same-repository.ts";
import type { InputName } from "../../text/input-names.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { desiredOnCreate } from "../plan/desired-on-create.ts";

/**
 * Returns what a create sends: what is planned and, if no integration was given, the one that covers the repository. Warns of
 * what it implies.
 *
 * @throws Failure if an input is missing, or if not exactly one integration covers the repository
 */
export async function prepareCreate(context: DeployContext, name: string): Promise<DesiredDeployment> {
  const { plan, settings, report, record } = context;
  const { desired } = plan;
  const create = desiredOnCreate(context);
  const problems = missingInputs(desired, create, settings.platform);
  if (problems.length > 0) throw inputFailure(problems);
  const warning = settings.platform.createWarning(name, create);
  if (warning !== undefined) report.warning(warning);
  const { deploymentType: type, repoUrl } = create;
  if (record?.isProduction && desired.deploymentType === undefined && type !== undefined) {
    report.warning(
      text`The production deployment ${code(name)} gets the default ${inputName("deployment_type")} ${code(type)}, which can't be changed later. To use a different type, set ${inputName("deployment_type")}.`,
    );
  }
  if (!isFromGitHub(create) || create.integrationId !== undefined || repoUrl === undefined) return create;
  const integrationId = await requireIntegration(context, repoUrl);
  report.info(text`Integration ${code(integrationId)} covers ${code(repoUrl)}.`);
  return { ...create, integrationId };
}

function missingInputs(
  { sourceKind: givenKind }: DesiredDeployment,
  create: DesiredDeployment,
  { listIntegrations }: Platform,
): InputProblem[] {
  const { integrationId, repoUrl, content } = create;
  if (givenKind === undefined && content.imageUri !== undefined) {
    const problem = phrase`is required to create a deployment from ${inputName("image_uri")}`;
    const hint = text`Set ${inputName("source")} to ${code(sourceKinds.otherImage)}, or to ${code(sourceKinds.platformImage)} for an image in the registry of LangSmith's cloud.`;
    return [{ input: "source", problem, hint }];
  }
  if (!isFromGitHub(create)) return [];
  const missingUnless = (isKnown: boolean, name: InputName, meaning: Phrase): InputProblem[] => {
    const ifLangsmith = text`LangSmith Deployment needs ${code("platform: langsmith")}.`;
    const hint = text`Set ${inputName(name)} to ${meaning}. To deploy an image instead, set ${inputName("source")} and ${inputName("image_uri")}. ${listIntegrations === undefined ? ifLangsmith : undefined}`;
    return isKnown ? [] : [{ ...missingInput(name), hint }];
  };
  return [
    ...missingUnless(
      integrationId !== undefined || listIntegrations !== undefined,
      "integration_id",
      phrase`the ID of the platform's integration that has access to the repository`,
    ),
    ...missingUnless(repoUrl !== undefined, "repo_url", phrase`the URL of the repository`),
    ...missingUnless(
      content.appConfigPath !== undefined,
      "app_config_path",
      phrase`the path of the app's configuration file in the repository`,
    ),
  ];
}

/** Returns the id of the one integration that covers a repository. @throws Failure if there is none or there are several */
async function requireIntegration(context: PlatformContext, repoUrl: string): Promise<string> {
  const integrations = await readIntegrations(context);
  const covering = integrations.filter(({ repositories }) =>
    repositories.some((url) => isSameRepository(url, repoUrl)),
  );
  const [only, ...others] = covering;
  if (only !== undefined && others.length === 0) return only.id;
  if (others.length > 0) {
    throw new Failure(text`Several integrations cover ${code(repoUrl)}: ${integrationNames(covering)}.`, {
      hint: text`Set ${inputName("integration_id")} to the one to use.`,
    });
  }
  const all = integrations.length === 0 ? undefined : text` Found: ${integrationNames(integrations)}.`;
  throw new Failure(text`No integration of the workspace can read ${code(repoUrl)}.${all}`, {
    hint: text`Install the platform's GitHub integration for this repository, set ${inputName("integration_id")}, or set ${code("source_path: .")} to upload the files.`,
  });
}

/** Returns an empty list if the control plane does not list its integrations. */
async function readIntegrations({
  settings,
  controlPlane,
}: PlatformContext): Promise<readonly Integration[]> {
  const { listIntegrations } = settings.platform;
  if (listIntegrations === undefined) return [];
  return (await undefinedIf(() => listIntegrations(controlPlane.api), isUnsupported)) ?? [];
}

function integrationNames(integrations: readonly Integration[]): Message {
  return listOf(
    integrations.map(({ id, name }) => (name === "" ? code(id) : phrase`${code(name)} (${code(id)})`)),
  );
}
