import { refOfRun, repositoryUrl, type WorkflowRun } from "../../github/workflow-run.ts";
import type { DesiredDeployment } from "../../inputs/deploy.ts";
import { type InputProblem, missing } from "../../inputs/reader.ts";
import type { SourceUpload } from "../../inputs/source-upload.ts";
import type { Target } from "../../inputs/target.ts";
import type { RevisionSource } from "../../platform/deployment.ts";
import type { Platform, PlatformTarget } from "../../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import { isSameRepository, withoutRoot } from "./compare-source.ts";
import { createWarning, platformNotices } from "./notes.ts";
import { type CreateDefaults, createRequest, updateRequest } from "./requests.ts";
import { brokenRules, type FixedField, fixedFields, problemsBySource } from "./rules.ts";

/** What will be sent, decided before the first request. */
export interface DeploymentPlan {
  readonly target: Target;
  readonly update: UpdateRequest;
  /** Undefined if no deployment can be created: by id, or if `createProblems` says what is missing. */
  readonly create: CreateRequest | undefined;
  readonly createProblems: readonly InputProblem[];
  /** What to warn of before a create. */
  readonly createWarning: string | undefined;
  /** Whether a create must find `integration_id` first. */
  readonly findsIntegration: boolean;
  /** Given inputs whose value is fixed once the deployment exists. */
  readonly fixed: readonly FixedField[];
  /** Why a deployment can't be updated, by the source that it shows. */
  readonly problemsBySource: ReadonlyMap<string, InputProblem>;
  /** The repository that a deployment found by name must show, if it shows one. */
  readonly repoUrl: string | undefined;
  /** What this run's revision deploys, which identifies it among others. */
  readonly source: RevisionSource;
  /** The folder to upload before the update that makes the revision; undefined if the platform fetches the source. */
  readonly upload: SourceUpload | undefined;
}

/** A plan, and what its inputs show without asking the platform. */
export interface PlanResult {
  readonly plan: DeploymentPlan;
  readonly problems: readonly InputProblem[];
  /** Sentences for notices. */
  readonly notices: readonly string[];
}

/** Plans a deployment on a control plane. */
export function planDeployment(
  target: Target,
  desired: DesiredDeployment,
  workflow: WorkflowRun,
  host: PlatformTarget,
): PlanResult {
  const { platform } = host;
  const { ref, problem } = refToDeploy(desired, workflow);
  const source: RevisionSource = {
    repoRef: ref,
    appConfigPath: appConfigPathOf(desired, platform),
    imageUri: desired.imageUri,
  };
  const rulesBroken = brokenRules(target, desired, source, host);
  const fromGitHub = isFromGitHub(desired);
  const defaults: CreateDefaults = {
    repoUrl: fromGitHub ? repositoryUrl(workflow) : undefined,
    appConfigPath: fromGitHub ? platform.defaultAppConfigPath : undefined,
  };
  const createProblems =
    target.kind === "name" && fromGitHub ? missingOnCreate(desired, defaults, platform) : [];
  const plan: DeploymentPlan = {
    target,
    update: updateRequest(desired, source),
    create:
      target.kind === "name" && createProblems.length === 0
        ? createRequest(target.name, desired, source, defaults)
        : undefined,
    createProblems,
    createWarning: createWarning(target, desired, host),
    findsIntegration: fromGitHub && desired.integrationId === undefined && platform.capabilities.integrations,
    fixed: fixedFields(desired, platform),
    problemsBySource: problemsBySource(desired, platform),
    repoUrl: expectedRepository(desired, workflow),
    source,
    upload: desired.upload,
  };
  return {
    plan,
    problems: problem === undefined ? rulesBroken : [problem, ...rulesBroken],
    notices: platformNotices(desired, host),
  };
}

/** In an archive, a path has no root. */
function appConfigPathOf(
  { appConfigPath, upload }: DesiredDeployment,
  platform: Platform,
): string | undefined {
  if (upload === undefined) return appConfigPath;
  return appConfigPath === undefined ? platform.defaultAppConfigPath : withoutRoot(appConfigPath);
}

/** The repository that a deployment found by name must show, if it shows one. */
export function expectedRepository(
  desired: Pick<DesiredDeployment, "source" | "repoUrl">,
  workflow: WorkflowRun,
): string | undefined {
  return desired.repoUrl ?? (isFromGitHub(desired) ? repositoryUrl(workflow) : undefined);
}

function isFromGitHub(desired: Pick<DesiredDeployment, "source">): boolean {
  return desired.source === undefined || desired.source === "github";
}

/** The ref to deploy; undefined if none is sent. `problem`: why it is unknown. */
interface RefChoice {
  readonly ref?: string;
  readonly problem?: InputProblem;
}

/** With an image, or a source without a repository, a ref is sent only if it was given. */
function refToDeploy(desired: DesiredDeployment, workflow: WorkflowRun): RefChoice {
  if (desired.repoRef !== undefined) return { ref: desired.repoRef };
  if (desired.imageUri !== undefined || desired.upload !== undefined) return {};
  if (!isFromGitHub(desired)) {
    const problem = `or repo_ref is required with source ${desired.source}`;
    return { problem: { input: "image_uri", problem } };
  }
  const ownUrl = repositoryUrl(workflow);
  if (desired.repoUrl !== undefined && (ownUrl === undefined || !isSameRepository(desired.repoUrl, ownUrl))) {
    const problem = "is required, because repo_url is another repository than this one";
    return { problem: { input: "repo_ref", problem } };
  }
  const ref = refOfRun(workflow);
  if (ref !== undefined) return { ref };
  const problem = `is required: ${workflow.ref || "this event"} is neither a branch nor a tag`;
  return { problem: { input: "repo_ref", problem } };
}

function missingOnCreate(
  desired: DesiredDeployment,
  defaults: CreateDefaults,
  platform: Platform,
): InputProblem[] {
  const isMissing = {
    integration_id: desired.integrationId === undefined && !platform.capabilities.integrations,
    repo_url: (desired.repoUrl ?? defaults.repoUrl) === undefined,
    app_config_path: (desired.appConfigPath ?? defaults.appConfigPath) === undefined,
  };
  const meanings = {
    integration_id: "the id of the platform's integration that may read the repository",
    repo_url: "the URL of the repository",
    app_config_path: "the path of the app's configuration file in the repository",
  };
  return (["integration_id", "repo_url", "app_config_path"] as const)
    .filter((input) => isMissing[input])
    .map((input) => ({
      input,
      problem: `${missing}. To create a deployment from a repository, set it to ${meanings[input]}. For an image, set source`,
    }));
}

/** The ref, image or folder that this run deploys. */
export function describeSource({ source, upload }: DeploymentPlan): string | undefined {
  if (upload === undefined) return source.imageUri ?? source.repoRef;
  return upload.path === "." ? "the files of the workspace" : `the files in ${upload.path}`;
}

/** What will be done, as a sentence. */
export function describePlan(plan: DeploymentPlan): string {
  const source = describeSource(plan) ?? "its current source";
  return plan.target.kind === "id"
    ? `Update deployment ${plan.target.id} to ${source}.`
    : `Deploy ${source} as ${plan.target.name}: update the deployment of that name, or create it.`;
}
