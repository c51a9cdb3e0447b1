import type { RevisionSource } from "../control-plane/deployment.ts";
import type { CreateRequest, UpdateRequest } from "../control-plane/schemas.ts";
import type { DesiredDeployment } from "../inputs/deploy.ts";
import type { InputProblem } from "../inputs/errors.ts";
import { repositoryUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { refOfRun } from "./ref.ts";
import { sameRepository } from "./repository.ts";

/** Which deployment is meant. With an id the name is not used (contract, 3.1). */
export type Target =
  | { readonly kind: "id"; readonly id: string }
  /** `recordedId`: the id that the record of an earlier run gives for the name, if it is still that. */
  | { readonly kind: "name"; readonly name: string; readonly recordedId?: string | undefined };

/** What a target is called. */
export function titleOf(target: Target): string {
  return target.kind === "id" ? target.id : target.name;
}

/** What will be sent, decided before the first request. */
export interface DeploymentPlan {
  readonly target: Target;
  readonly update: UpdateRequest;
  /** Undefined where a deployment can't be created: by id, or where `createProblems` says what is missing. */
  readonly create: CreateRequest | undefined;
  readonly createProblems: readonly InputProblem[];
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
): { plan: DeploymentPlan; problems: readonly InputProblem[] } {
  const problems: InputProblem[] = [];
  const source = revisionSource(desired, run, problems);
  const createProblems = target.kind === "name" ? missingOnCreate(desired, run) : [];
  const plan: DeploymentPlan = {
    target,
    update: updateRequest(desired, source),
    create:
      target.kind === "name" && createProblems.length === 0
        ? createRequest(target.name, desired, run, source)
        : undefined,
    createProblems,
    repoUrl: desired.repoUrl ?? (isFromGitHub(desired) ? repositoryUrl(run) : undefined),
    source,
  };
  return { plan, problems };
}

function isFromGitHub(desired: DesiredDeployment): boolean {
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

function missingOnCreate(desired: DesiredDeployment, run: WorkflowRun): InputProblem[] {
  if (!isFromGitHub(desired)) return [];
  const given = {
    integration_id: desired.integrationId,
    repo_url: desired.repoUrl ?? repositoryUrl(run),
    app_config_path: desired.appConfigPath,
  };
  return Object.entries(given)
    .filter(([, value]) => value === undefined)
    .map(([input]) => ({
      input,
      problem: "has to be given to create a deployment from a repository (from an image: set source)",
    }));
}

/** POST carries every field, `null` where nothing was given (contract, 3.1). */
function createRequest(
  name: string,
  desired: DesiredDeployment,
  run: WorkflowRun,
  source: RevisionSource,
): CreateRequest {
  const fromGitHub = isFromGitHub(desired);
  return {
    name,
    source: desired.source ?? "github",
    source_config: {
      integration_id: desired.integrationId ?? null,
      repo_url: desired.repoUrl ?? (fromGitHub ? (repositoryUrl(run) ?? null) : null),
      deployment_type: desired.deploymentType ?? "dev",
      build_on_push: desired.buildOnPush ?? false,
      custom_url: desired.customUrl ?? null,
      resource_spec: desired.resourceSpec ?? null,
    },
    source_revision_config: {
      repo_ref: source.repoRef ?? null,
      app_config_path: source.appConfigPath ?? null,
      image_uri: source.imageUri ?? null,
    },
    secrets: [...desired.secrets.secrets],
  };
}

/** PATCH carries only what was asked (contract, 3.1). */
function updateRequest(desired: DesiredDeployment, source: RevisionSource): UpdateRequest {
  const sourceConfig = given({
    integration_id: desired.integrationId,
    repo_url: desired.repoUrl,
    deployment_type: desired.deploymentType,
    build_on_push: desired.buildOnPush,
    custom_url: desired.customUrl,
    resource_spec: desired.resourceSpec,
  });
  const { secrets } = desired.secrets;
  return {
    ...(Object.keys(sourceConfig).length > 0 && { source_config: sourceConfig }),
    source_revision_config: given({
      repo_ref: source.repoRef,
      app_config_path: source.appConfigPath,
      image_uri: source.imageUri,
    }),
    ...(secrets.length > 0 && { secrets: [...secrets] }),
  };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The object without its undefined fields. */
function given<T extends Record<string, unknown>>(fields: T): Given<T> {
  const result: Given<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (isGiven(value)) result[key] = value;
  }
  return result;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
