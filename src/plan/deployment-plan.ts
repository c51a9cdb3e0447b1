import type { RevisionSource } from "../control-plane/deployment.ts";
import type { Platform } from "../control-plane/platforms.ts";
import type { CreateRequest, UpdateRequest } from "../control-plane/schemas.ts";
import type { DesiredDeployment } from "../inputs/deploy.ts";
import type { InputProblem } from "../inputs/errors.ts";
import type { Target } from "../inputs/target.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { brokenRules, type FixedField, fixedFields } from "./platform-rules.ts";
import { refOfRun } from "./ref.ts";
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
  const problems: InputProblem[] = [];
  const source = revisionSource(desired, run, problems);
  problems.push(...brokenRules(target, desired, source, platform));
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
  return { plan, problems };
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

function revisionSource(
  desired: DesiredDeployment,
  run: WorkflowRun,
  problems: InputProblem[],
): RevisionSource {
  return {
    repoRef: desired.repoRef ?? defaultRef(desired, run, problems),
    appConfigPath: desired.appConfigPath,
    imageUri: desired.imageUri,
  };
}

/** With an image, or a source that has no repository, a ref is sent only if it was given. */
function defaultRef(
  desired: DesiredDeployment,
  run: WorkflowRun,
  problems: InputProblem[],
): string | undefined {
  if (desired.imageUri !== undefined) return undefined;
  if (!isFromGitHub(desired)) {
    problems.push({
      input: "image_uri",
      problem: `or repo_ref has to be given with source ${desired.source}`,
    });
    return undefined;
  }
  const ownUrl = repositoryUrl(run);
  if (desired.repoUrl !== undefined && (ownUrl === undefined || !sameRepository(desired.repoUrl, ownUrl))) {
    problems.push({
      input: "repo_ref",
      problem: "has to be given, because repo_url is another repository than this one",
    });
    return undefined;
  }
  const ref = refOfRun(run);
  if (ref === undefined) {
    problems.push({
      input: "repo_ref",
      problem: `has to be given: a run of ${run.ref || "this event"} has no branch or tag of its own`,
    });
  }
  return ref;
}

function missingOnCreate(
  desired: DesiredDeployment,
  defaults: CreateDefaults,
  platform: Platform,
): InputProblem[] {
  const given = {
    integration_id: desired.integrationId ?? platform.offers.integrations,
    repo_url: desired.repoUrl ?? defaults.repoUrl,
    app_config_path: desired.appConfigPath ?? defaults.appConfigPath,
  };
  return Object.entries(given)
    .filter(([, value]) => value === undefined || value === false)
    .map(([input]) => ({
      input,
      problem: "has to be given to create a deployment from a repository (from an image: set source)",
    }));
}
