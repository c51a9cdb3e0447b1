import type { DesiredDeployment } from "../inputs/deploy.ts";
import type { InputProblem } from "../inputs/errors.ts";
import { refOfRun } from "../inputs/ref.ts";
import type { Target } from "../inputs/target.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { RevisionSource } from "../platform/deployment.ts";
import type { Platform } from "../platform/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../platform/schemas.ts";
import { brokenRules, type FixedField, fixedFields } from "./platform-rules.ts";
import { sameRepository } from "./repository.ts";
import { type CreateDefaults, createRequest, updateRequest } from "./requests.ts";

/** What will be sent, decided before the first request. */
export interface DeploymentPlan {
  readonly target: Target;
  readonly update: UpdateRequest;
  /** Undefined where a deployment can't be created: by id, or where `createProblems` says what is missing. */
  readonly create: CreateRequest | undefined;
  readonly createProblems: readonly InputProblem[];
  /** Whether a create has to find `integration_id` first. */
  readonly findsIntegration: boolean;
  /** Given inputs that can't change once the deployment exists. */
  readonly fixed: readonly FixedField[];
  /** The repository that a deployment found by name has to show, if it shows one. */
  readonly repoUrl: string | undefined;
  /** What this run's revision deploys, by which it is told from others. */
  readonly source: RevisionSource;
}

/** The plan, and what is wrong with the inputs whatever the platform answers. */
export function planDeployment(
  target: Target,
  desired: DesiredDeployment,
  run: WorkflowRun,
  platform: Platform,
): { plan: DeploymentPlan; problems: readonly InputProblem[] } {
  const { ref, problem } = refToDeploy(desired, run);
  const source: RevisionSource = {
    repoRef: ref,
    appConfigPath: desired.appConfigPath,
    imageUri: desired.imageUri,
  };
  const rulesBroken = brokenRules(target, desired, source, platform);
  const fromGitHub = isFromGitHub(desired);
  const defaults: CreateDefaults = {
    repoUrl: fromGitHub ? repositoryUrl(run) : undefined,
    appConfigPath: fromGitHub ? platform.appConfigPath : undefined,
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
    findsIntegration: fromGitHub && desired.integrationId === undefined && platform.offers.integrations,
    fixed: fixedFields(desired, platform),
    repoUrl: expectedRepository(desired, run),
    source,
  };
  return { plan, problems: problem === undefined ? rulesBroken : [problem, ...rulesBroken] };
}

/** The repository that a deployment found by name has to show, if it shows one. */
export function expectedRepository(
  desired: Pick<DesiredDeployment, "source" | "repoUrl">,
  run: WorkflowRun,
): string | undefined {
  return desired.repoUrl ?? (isFromGitHub(desired) ? repositoryUrl(run) : undefined);
}

function isFromGitHub(desired: Pick<DesiredDeployment, "source">): boolean {
  return desired.source === undefined || desired.source === "github";
}

/** The ref to deploy, undefined where none is sent; `problem`: why it can't be told. */
interface RefChoice {
  readonly ref?: string;
  readonly problem?: InputProblem;
}

/** With an image, or a source that has no repository, a ref is sent only if it was given. */
function refToDeploy(desired: DesiredDeployment, run: WorkflowRun): RefChoice {
  if (desired.repoRef !== undefined) return { ref: desired.repoRef };
  if (desired.imageUri !== undefined) return {};
  if (!isFromGitHub(desired)) {
    const problem = `or repo_ref has to be given with source ${desired.source}`;
    return { problem: { input: "image_uri", problem } };
  }
  const ownUrl = repositoryUrl(run);
  if (desired.repoUrl !== undefined && (ownUrl === undefined || !sameRepository(desired.repoUrl, ownUrl))) {
    const problem = "has to be given, because repo_url is another repository than this one";
    return { problem: { input: "repo_ref", problem } };
  }
  const ref = refOfRun(run);
  if (ref !== undefined) return { ref };
  const problem = `has to be given: a run of ${run.ref || "this event"} has no branch or tag of its own`;
  return { problem: { input: "repo_ref", problem } };
}

function missingOnCreate(
  desired: DesiredDeployment,
  defaults: CreateDefaults,
  platform: Platform,
): InputProblem[] {
  const isMissing = {
    integration_id: desired.integrationId === undefined && !platform.offers.integrations,
    repo_url: (desired.repoUrl ?? defaults.repoUrl) === undefined,
    app_config_path: (desired.appConfigPath ?? defaults.appConfigPath) === undefined,
  };
  return Object.entries(isMissing)
    .filter(([, missing]) => missing)
    .map(([input]) => ({
      input,
      problem: "has to be given to create a deployment from a repository (from an image: set source)",
    }));
}
