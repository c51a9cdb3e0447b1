import { Failure } from "../errors.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { equalsIgnoringCase } from "../text/strings.ts";
import { type EventPullRequest, isOfFork, type PullRequestEvent, type WorkflowRun } from "../workflow-run.ts";

export type PreviewTask =
  | { readonly kind: "deploy"; readonly pullRequest: number }
  | { readonly kind: "delete"; readonly pullRequest: number; readonly reason: Phrase }
  | { readonly kind: "skip"; readonly reason: Phrase };

/** The inputs that decide, with the event, whether a run is skipped. All others are read only if it is not. */
interface PreviewConditions {
  readonly label: string | undefined;
  /** False in runs that get no Actions secrets, such as Dependabot's. */
  readonly hasKey: boolean;
}

/** Decides what a preview run does, before any other input is checked. @throws Failure for other events */
export function previewTask(run: WorkflowRun, { label, hasKey }: PreviewConditions): PreviewTask {
  // In a merge queue, a required check runs on this event, and must pass.
  if (run.event === "merge_group") {
    return skip(phrase`a merge queue needs none, because previews belong to pull requests`);
  }
  if (run.event !== "pull_request") {
    const event = code(run.event || "(none)", 60);
    throw eventFailure(
      text`The preview action runs on ${code("pull_request")} events only, not on ${event}: others have no pull request, or give the repository's secrets to the code of a fork or to anyone who may comment.`,
    );
  }
  const { pullRequestEvent } = run;
  if (pullRequestEvent === undefined) throw eventFailure(text`The payload of the event has no pull request.`);
  const noSecrets = whyNoSecrets(run, pullRequestEvent.pull_request, hasKey);
  return noSecrets === undefined ? taskOf(pullRequestEvent, label) : skip(noSecrets);
}

function taskOf(
  { action, label: changed, pull_request: pullRequest }: PullRequestEvent,
  label: string | undefined,
): PreviewTask {
  const { number } = pullRequest;
  if (action === "closed") return { kind: "delete", pullRequest: number, reason: closedReason };
  if (action === "labeled" || action === "unlabeled") {
    if (label === undefined)
      return skip(phrase`labels have no effect without the input ${inputName("label")}`);
    if (!equalsIgnoringCase(changed?.name, label))
      return skip(phrase`a label other than ${code(label)} was changed`);
    if (action === "unlabeled")
      return { kind: "delete", pullRequest: number, reason: phrase`the label ${code(label)} was removed` };
  } else if (!deployingActions.includes(action)) {
    return skip(phrase`there is nothing to do when a pull request is ${code(action, 60)}`);
  }
  const reason = whyUnwanted(pullRequest, label);
  return reason === undefined ? { kind: "deploy", pullRequest: number } : skip(reason);
}

/** Returns why a pull request has no preview; undefined if it has one. */
export function whyUnwanted(
  { state, labels }: Pick<EventPullRequest, "state" | "labels">,
  label: string | undefined,
): Phrase | undefined {
  if (state !== "open") return closedReason;
  return label === undefined || labels.some(({ name }) => equalsIgnoringCase(name, label))
    ? undefined
    : phrase`the pull request does not have the label ${code(label)}`;
}

const closedReason = phrase`the pull request is closed`;

const deployingActions = ["opened", "reopened", "synchronize", "ready_for_review"];

function skip(reason: Phrase): PreviewTask {
  return { kind: "skip", reason };
}

function eventFailure(message: Message): Failure {
  // Drafts have a preview too, so `ready_for_review` is not needed.
  const types = listOf(["opened", "reopened", "synchronize", "closed"].map((type) => code(type)));
  return new Failure(message, {
    hint: text`Start the workflow with ${code("on: pull_request")}, with types ${types}, and also ${code("labeled")} and ${code("unlabeled")} if you use ${inputName("label")}.`,
  });
}

/** Returns why the run has no secrets, and so no preview; undefined if it has them. */
function whyNoSecrets(
  run: WorkflowRun,
  { user, head }: EventPullRequest,
  hasKey: boolean,
): Phrase | undefined {
  if (isOfFork(run)) {
    return phrase`the pull request comes from ${code(head.repo?.full_name ?? "(deleted)")}, not ${code(run.repository)}, and previews are not created for forks. To get one, push the branch to this repository. A job without secrets can still compare the change with its base: see ${code("docs/workflows/compare-pull-request.yml")} of this action`;
  }
  const isOfDependabot = [run.actor, user?.login].includes("dependabot[bot]");
  return isOfDependabot && !hasKey
    ? phrase`runs for Dependabot cannot read Actions secrets. Add the secret of ${inputName("api_key")} and those of the agent under Settings → Secrets and variables → Dependabot`
    : undefined;
}
