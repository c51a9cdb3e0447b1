import { type InputFindings, setHint } from "../../input-problem.ts";
import { type DesiredDeployment, isFromGitHub, sourceKinds } from "../../platform/desired-deployment.ts";
import type { Platform } from "../../platform/platform.ts";
import { isRepositoryOfRun } from "../../platform/same-repository.ts";
import type { Target } from "../../platform/target.ts";
import type { InputName } from "../../text/input-names.ts";
import { code, inputName, type Phrase, phrase, text } from "../../text/message.ts";
import { isOfFork, refOfRun, unlessOfFork, type WorkflowRun } from "../../workflow-run.ts";

/** What a deploy sends. It is decided by its inputs and the workflow run, before the first request. */
export interface DeployPlan {
  readonly target: Target;
  /** What was given, and the ref. A create adds defaults, and an update the deployment's source and the archive. */
  readonly desired: DesiredDeployment;
  /** Whether the ref is that of the run, because none was given. */
  readonly isRefOfRun: boolean;
}

/** Makes the plan. Adds to `findings` the problems and notices that need no request to the platform. */
export function makePlan(
  findings: InputFindings,
  target: Target,
  given: DesiredDeployment,
  platform: Platform,
  workflow: WorkflowRun,
): DeployPlan {
  const repoRef = chooseRef(findings, given, workflow);
  for (const problem of platform.findProblems(given)) findings.addProblem(problem);
  if (given.buildOnPush !== undefined && !isFromGitHub(given)) findings.addNote("notice", notSentNotice);
  return {
    target,
    desired: { ...given, content: { ...given.content, repoRef } },
    isRefOfRun: repoRef !== given.content.repoRef,
  };
}

const notSentNotice = text`${inputName("build_on_push")} is not sent, because only source ${code(sourceKinds.github)} accepts it.`;

/**
 * Chooses the ref; undefined if none is sent. With an image, an upload or a source other than GitHub, it is sent only if it was
 * given. Adds to `findings` the problem if it is needed, but unknown.
 */
function chooseRef(
  findings: InputFindings,
  desired: DesiredDeployment,
  workflow: WorkflowRun,
): string | undefined {
  const { sourceKind = sourceKinds.github, repoUrl, content } = desired;
  const { repoRef, imageUri } = content;
  if (repoRef !== undefined || imageUri !== undefined || sourceKind === sourceKinds.upload) return repoRef;
  const reject = (input: InputName, problem: Phrase, hint = setHint(input)) => {
    findings.addProblem({ input, problem, hint });
    return undefined;
  };
  if (sourceKind !== sourceKinds.github) {
    const problem = phrase`or ${inputName("repo_ref")} is required with source ${code(sourceKind)}`;
    return reject("image_uri", problem);
  }
  if (repoUrl !== undefined && !isRepositoryOfRun(repoUrl, workflow)) {
    const problem = phrase`is required, because ${inputName("repo_url")} names a different repository from this one`;
    return reject("repo_ref", problem);
  }
  const ref = refOfRun(workflow);
  if (ref !== undefined) return ref;
  if (isOfFork(workflow)) {
    const problem = phrase`is required: the pull request comes from a fork, whose branch is not one of this repository`;
    const hint = text`Set ${inputName("repo_ref")}, or skip forks with ${code(unlessOfFork)}.`;
    return reject("repo_ref", problem, hint);
  }
  const event = workflow.ref ? code(workflow.ref) : phrase`this event`;
  return reject("repo_ref", phrase`is required: ${event} is neither a branch nor a tag`);
}

/** Returns the ref, image or folder that this run deploys, as log and summary show it. */
export function describeContent({ desired: { content, upload } }: DeployPlan): Phrase | undefined {
  if (upload !== undefined) {
    return upload.path === "."
      ? phrase`the files in the checkout`
      : phrase`the files in ${code(upload.path)}`;
  }
  const refOrImage = content.imageUri ?? content.repoRef;
  return refOrImage === undefined ? undefined : code(refOrImage);
}
