import * as v from "valibot";
import { Failure } from "../errors.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { equalsIgnoringCase } from "../text/strings.ts";
import { type EventPullRequest, isOfFork, pullRequestOf, type WorkflowRun } from "../workflow-run.ts";

export type PreviewTask =
  | { readonly kind: "deploy"; readonly pullRequest: EventPullRequest }
  | { readonly kind: "delete"; readonly pullRequest: EventPullRequest; readonly reason: Phrase }
  | { readonly kind: "skip"; readonly reason: Phrase };

const ChangeSchema = v.object({
  action: v.string(),
  label: v.optional(v.object({ name: v.string() })),
});
type Change = v.InferOutput<typeof ChangeSchema>;

/** The inputs that decide, with the event, whether a run is skipped. All others are read only if it is not. */
interface PreviewConditions {
  readonly label: string | undefined;
  /** False in runs that get no Actions secrets, such as Dependabot's. */
  readonly hasKey: boolean;
}

type PreviewRun = Pick<WorkflowRun, "event" | "payload" | "repository" | "actor">;

/** Decides what a preview run does, before any other input is checked. @throws Failure for other events */
export function previewTask(run: PreviewRun, conditions: PreviewConditions): PreviewTask {
  // In a merge queue, a required check runs on this event, and must pass.
  if (run.event === "merge_group") {
    return {
      kind: "skip",
      reason: phrase`a merge queue needs none, because previews belong to pull requests`,
    };
  }
  if (run.event !== "pull_request") {
    const event = code(run.event || "(none)", 60);
    throw eventFailure(
      text`The preview action runs on ${code("pull_request")} events only, not on ${event}: others have no pull request, or give the repository's secrets to the code of a fork or to anyone who may comment.`,
    );
  }
  const change = v.safeParse(ChangeSchema, run.payload);
  const pullRequest = pullRequestOf(run);
  if (!change.success || pullRequest === undefined) {
    throw eventFailure(text`The payload of the event has no pull request.`);
  }
  const skip = reasonToSkip(change.output, pullRequest, run, conditions.hasKey);
  if (skip !== undefined) return { kind: "skip", reason: skip };
  return taskOf(change.output, pullRequest, conditions.label);
}

/** The types of events that deploy a preview. */
const deployingTypes = ["opened", "reopened", "synchronize", "ready_for_review"];
/** Drafts have a preview too, so `ready_for_review` is not needed. */
const eventTypes = listOf(["opened", "reopened", "synchronize", "closed"].map((type) => code(type)));

function eventFailure(message: Message): Failure {
  return new Failure(message, {
    hint: text`Start the workflow with ${code("on: pull_request")}, with types ${eventTypes}, and also ${code("labeled")} and ${code("unlabeled")} if you use ${inputName("label")}.`,
  });
}

function reasonToSkip(
  { action }: Change,
  { user, state, head }: EventPullRequest,
  run: PreviewRun,
  hasKey: boolean,
): Phrase | undefined {
  if (isOfFork(run)) {
    return phrase`the pull request comes from ${code(head.repo?.full_name ?? "(deleted)")}, not ${code(run.repository)}, and previews are not created for forks. To get one, push the branch to this repository. A job without secrets can still compare the change with its base: see ${code("docs/workflows/compare-pull-request.yml")} of this action`;
  }
  if (state !== "open" && !["closed", "unlabeled"].includes(action)) {
    return phrase`the pull request is closed`;
  }
  const isOfDependabot = [run.actor, user?.login].includes("dependabot[bot]");
  return isOfDependabot && !hasKey
    ? phrase`runs for Dependabot cannot read Actions secrets. Add the secret of ${inputName("api_key")} and those of the agent under Settings → Secrets and variables → Dependabot`
    : undefined;
}

function taskOf(change: Change, pullRequest: EventPullRequest, label: string | undefined): PreviewTask {
  const { action } = change;
  if (action === "closed") return { kind: "delete", pullRequest, reason: phrase`the pull request is closed` };
  if (action === "labeled" || action === "unlabeled") return labelTask(change, pullRequest, label);
  if (!deployingTypes.includes(action)) {
    return {
      kind: "skip",
      reason: phrase`there is nothing to do when a pull request is ${code(action, 60)}`,
    };
  }
  if (label !== undefined && !pullRequest.labels.some(({ name }) => equalsIgnoringCase(name, label))) {
    return { kind: "skip", reason: phrase`the pull request does not have the label ${code(label)}` };
  }
  return { kind: "deploy", pullRequest };
}

function labelTask(change: Change, pullRequest: EventPullRequest, label: string | undefined): PreviewTask {
  if (label === undefined) {
    return { kind: "skip", reason: phrase`labels have no effect without the input ${inputName("label")}` };
  }
  if (!equalsIgnoringCase(change.label?.name, label)) {
    return { kind: "skip", reason: phrase`a label other than ${code(label)} was changed` };
  }
  return change.action === "labeled"
    ? { kind: "deploy", pullRequest }
    : { kind: "delete", pullRequest, reason: phrase`the label ${code(label)} was removed` };
}
