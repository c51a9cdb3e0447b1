import * as v from "valibot";
import { Failure } from "../errors.ts";
import type { PreviewConditions } from "../inputs/read-preview-inputs.ts";
import { equalsIgnoringCase } from "../text/equals-ignoring-case.ts";
import { code, inputName, listOf, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { isOfFork, type WorkflowRun } from "../workflow-run.ts";

export interface PullRequest {
  readonly number: number;
  readonly headSha: string;
}

export type PreviewTask =
  | { readonly kind: "deploy"; readonly pullRequest: PullRequest }
  | { readonly kind: "delete"; readonly pullRequest: PullRequest; readonly reason: Phrase }
  | { readonly kind: "skip"; readonly reason: Phrase };

const EventPayloadSchema = v.looseObject({
  action: v.string(),
  label: v.optional(v.looseObject({ name: v.string() })),
  pull_request: v.looseObject({
    number: v.number(),
    state: v.optional(v.string(), "open"),
    head: v.looseObject({ sha: v.string(), repo: v.nullish(v.looseObject({ full_name: v.string() })) }),
    user: v.nullish(v.looseObject({ login: v.string() })),
    labels: v.optional(v.array(v.looseObject({ name: v.string() })), []),
  }),
});
type EventPayload = v.InferOutput<typeof EventPayloadSchema>;

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
  const parsed = v.safeParse(EventPayloadSchema, run.payload);
  if (!parsed.success) throw eventFailure(text`The payload of the event has no pull request.`);
  const payload = parsed.output;
  const skip = reasonToSkip(payload, run, conditions.hasKey);
  return skip === undefined ? taskOf(payload, conditions.label) : { kind: "skip", reason: skip };
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

function reasonToSkip(payload: EventPayload, run: PreviewRun, hasKey: boolean): Phrase | undefined {
  const { user, state, head } = payload.pull_request;
  if (isOfFork(run)) {
    return phrase`the pull request comes from ${code(head.repo?.full_name ?? "(deleted)")}, not ${code(run.repository)}, and previews are not created for forks. To get one, push the branch to this repository. A job without secrets can still compare the change with its base: see ${code("docs/workflows/compare-pull-request.yml")} of this action`;
  }
  if (state !== "open" && !["closed", "unlabeled"].includes(payload.action)) {
    return phrase`the pull request is closed`;
  }
  const isOfDependabot = [run.actor, user?.login].includes("dependabot[bot]");
  return isOfDependabot && !hasKey
    ? phrase`runs for Dependabot cannot read Actions secrets. Add the secret of ${inputName("api_key")} and those of the agent under Settings → Secrets and variables → Dependabot`
    : undefined;
}

function taskOf(payload: EventPayload, label: string | undefined): PreviewTask {
  const { action } = payload;
  const { number, head, labels } = payload.pull_request;
  const pullRequest = { number, headSha: head.sha };
  if (action === "closed") return { kind: "delete", pullRequest, reason: phrase`the pull request is closed` };
  if (action === "labeled" || action === "unlabeled") return labelTask(payload, label, pullRequest);
  if (!deployingTypes.includes(action)) {
    return {
      kind: "skip",
      reason: phrase`there is nothing to do when a pull request is ${code(action, 60)}`,
    };
  }
  if (label !== undefined && !labels.some(({ name }) => equalsIgnoringCase(name, label))) {
    return { kind: "skip", reason: phrase`the pull request does not have the label ${code(label)}` };
  }
  return { kind: "deploy", pullRequest };
}

function labelTask(payload: EventPayload, label: string | undefined, pullRequest: PullRequest): PreviewTask {
  if (label === undefined) {
    return { kind: "skip", reason: phrase`labels have no effect without the input ${inputName("label")}` };
  }
  if (!equalsIgnoringCase(payload.label?.name, label)) {
    return { kind: "skip", reason: phrase`a label other than ${code(label)} was changed` };
  }
  return payload.action === "labeled"
    ? { kind: "deploy", pullRequest }
    : { kind: "delete", pullRequest, reason: phrase`the label ${code(label)} was removed` };
}
