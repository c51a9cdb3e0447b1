import { expectedRepository } from "../../deployments/require-repository.ts";
import type { InputProblem } from "../../errors.ts";
import { setHint } from "../../inputs/input-error.ts";
import { shownNameOf, type Target } from "../../inputs/read-control-plane.ts";
import { isRepositoryOfRun, withoutRoot } from "../../platform/compare-source.ts";
import type { ControlPlaneSettings } from "../../platform/control-plane-settings.ts";
import type { RevisionContent } from "../../platform/deployment.ts";
import type { DesiredDeployment } from "../../platform/desired-deployment.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CreateRequest, UpdateRequest } from "../../platform/schemas.ts";
import { sourceKinds } from "../../platform/source-kinds.ts";
import { code, inputName, type Message, text } from "../../text/message.ts";
import { isOfFork, refOfRun, repositoryUrl, unlessOfFork, type WorkflowRun } from "../../workflow-run.ts";
import { createRequest, updateRequest } from "./requests.ts";

/** The requests of a deploy. They are decided by its inputs and the workflow run, before the first request. */
export interface DeployPlan {
  readonly target: Target;
  readonly desired: DesiredDeployment;
  /** Only the fields that were given. The platform divides it into requests. */
  readonly update: UpdateRequest;
  /** Every field, `null` if it was not given. Sent only if no deployment is found. */
  readonly create: CreateRequest;
  /** The repository that a deployment found by name must show, if it shows one. */
  readonly repoUrl: string | undefined;
  /** The source of this run's revision. */
  readonly content: RevisionContent;
}

/** A plan, with the problems and notices that need no request to the platform. */
interface PlanResult {
  readonly plan: DeployPlan;
  readonly problems: readonly InputProblem[];
  readonly notices: readonly Message[];
}

/** Plans a deploy to a control plane. */
export function makePlan(
  target: Target,
  desired: DesiredDeployment,
  workflow: WorkflowRun,
  { platform, url }: Pick<ControlPlaneSettings, "platform" | "url">,
): PlanResult {
  const { ref, problem } = chooseRef(desired, workflow);
  const content: RevisionContent = {
    repoRef: ref,
    appConfigPath: appConfigPathOf(desired, platform),
    imageUri: desired.imageUri,
  };
  const defaults = {
    sourceConfig: platform.createDefaults(url, desired.sourceKind),
    sourceFollowsCreate: platform.createsWithoutRevision(desired.sourceKind),
    ...(isFromGitHub(desired) && {
      repoUrl: repositoryUrl(workflow),
      appConfigPath: platform.defaultAppConfigPath,
    }),
  };
  return {
    plan: {
      target,
      desired,
      update: updateRequest(desired, content),
      create: createRequest(shownNameOf(target), desired, content, defaults),
      repoUrl: expectedRepository(desired, workflow),
      content,
    },
    problems: [...(problem === undefined ? [] : [problem]), ...platform.findProblems(desired, url)],
    notices: buildOnPushNotices(desired),
  };
}

/** Paths in an archive have no leading `/` or `./`. */
function appConfigPathOf(
  { appConfigPath, upload }: DesiredDeployment,
  platform: Platform,
): string | undefined {
  if (upload === undefined) return appConfigPath;
  return appConfigPath === undefined ? platform.defaultAppConfigPath : withoutRoot(appConfigPath);
}

function buildOnPushNotices(desired: DesiredDeployment): Message[] {
  if (desired.buildOnPush === undefined || isFromGitHub(desired)) return [];
  return [
    text`${inputName("build_on_push")} is not sent, because only source ${code(sourceKinds.github)} accepts it.`,
  ];
}

function isFromGitHub({ sourceKind }: Pick<DesiredDeployment, "sourceKind">): boolean {
  return sourceKind === sourceKinds.github;
}

/** The ref to deploy, or the problem if it is unknown. Neither if no ref is sent. */
interface RefChoice {
  readonly ref?: string;
  readonly problem?: InputProblem;
}

/** Chooses the ref. With an image, an upload or a source other than GitHub, it is sent only if it was given. */
function chooseRef(desired: DesiredDeployment, workflow: WorkflowRun): RefChoice {
  if (desired.repoRef !== undefined) return { ref: desired.repoRef };
  if (desired.imageUri !== undefined || desired.upload !== undefined) return {};
  if (!isFromGitHub(desired)) {
    const problem = text`or ${inputName("repo_ref")} is required with source ${code(desired.sourceKind)}`;
    return { problem: { input: "image_uri", problem, hint: setHint("image_uri") } };
  }
  if (desired.repoUrl !== undefined && !isRepositoryOfRun(desired.repoUrl, workflow)) {
    const problem = text`is required, because ${inputName("repo_url")} names a different repository from this one`;
    return { problem: { input: "repo_ref", problem, hint: setHint("repo_ref") } };
  }
  const ref = refOfRun(workflow);
  if (ref !== undefined) return { ref };
  if (isOfFork(workflow)) {
    const problem = text`is required: the pull request comes from a fork, whose branch is not one of this repository`;
    const hint = text`Set ${inputName("repo_ref")}, or skip forks with ${code(unlessOfFork)}.`;
    return { problem: { input: "repo_ref", problem, hint } };
  }
  const problem = text`is required: ${workflow.ref ? code(workflow.ref) : text`this event`} is neither a branch nor a tag`;
  return { problem: { input: "repo_ref", problem, hint: setHint("repo_ref") } };
}

/** Returns the ref, image or folder that this run deploys, as log and summary show it. */
export function describeSource({ content, desired: { upload } }: DeployPlan): Message | undefined {
  if (upload !== undefined) {
    return upload.path === "." ? text`the files in the checkout` : text`the files in ${code(upload.path)}`;
  }
  const refOrImage = content.imageUri ?? content.repoRef;
  return refOrImage === undefined ? undefined : code(refOrImage);
}
