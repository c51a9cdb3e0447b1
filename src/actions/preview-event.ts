import * as v from "valibot";
import { ActionError } from "../errors.ts";
import type { PreviewGate } from "../inputs/preview.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** The pull request that a run is about. */
export interface PullRequest {
  readonly number: number;
  readonly headSha: string;
}

/** What a preview run does for its event (contract, 4). */
export type PreviewTask =
  | { readonly kind: "deploy"; readonly pullRequest: PullRequest }
  | { readonly kind: "delete"; readonly pullRequest: PullRequest; readonly why: string }
  | { readonly kind: "skip"; readonly why: string };

/** The preview action was started by an event that it doesn't take. */
export class EventRefusedError extends ActionError {
  override readonly name = "EventRefusedError";
  readonly hint =
    "Start the workflow with on: pull_request, with types opened, reopened, synchronize and closed.";

  constructor(reason: string) {
    super(reason);
  }
}

const PayloadSchema = v.looseObject({
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
type Payload = v.InferOutput<typeof PayloadSchema>;

const refusals: Readonly<Record<string, string>> = {
  pull_request_target:
    "preview doesn't run on pull_request_target: that event hands the repository's secrets to code of a fork.",
  issue_comment:
    "preview doesn't run on issue_comment: anyone who may comment would deploy with the repository's secrets.",
};

/**
 * Decides what a preview run does, before any input but these is judged.
 *
 * @throws EventRefusedError for every event but `pull_request`.
 */
export function previewTask(
  run: Pick<WorkflowRun, "event" | "payload" | "repository" | "actor">,
  given: PreviewGate,
): PreviewTask {
  if (run.event !== "pull_request") {
    const event = sanitizeExcerpt(run.event || "(none)", 60);
    throw new EventRefusedError(
      refusals[run.event] ?? `preview runs on pull_request events only, not on ${event}.`,
    );
  }
  const parsed = v.safeParse(PayloadSchema, run.payload);
  if (!parsed.success) throw new EventRefusedError("The event's payload holds no pull request.");
  const payload = parsed.output;
  const skip = reasonToSkip(payload, run, given.hasKey);
  return skip === undefined ? taskOf(payload, given.label) : { kind: "skip", why: skip };
}

function reasonToSkip(
  payload: Payload,
  run: Pick<WorkflowRun, "repository" | "actor">,
  hasKey: boolean,
): string | undefined {
  const { head, user, state } = payload.pull_request;
  if (head.repo?.full_name.toLowerCase() !== run.repository.toLowerCase()) {
    return "the pull request comes from a fork, which gets no secrets and no preview";
  }
  if (state !== "open" && payload.action !== "closed" && payload.action !== "unlabeled") {
    return "the pull request is closed";
  }
  const dependabot = run.actor === "dependabot[bot]" || user?.login === "dependabot[bot]";
  return dependabot && !hasKey
    ? "Dependabot's runs get none of the Actions secrets, and api_key is empty (a secret for Dependabot brings previews for these, too)"
    : undefined;
}

function taskOf(payload: Payload, label: string | undefined): PreviewTask {
  const { action } = payload;
  const { number, head, labels } = payload.pull_request;
  const pullRequest = { number, headSha: head.sha };
  if (action === "closed") return { kind: "delete", pullRequest, why: "the pull request is closed" };
  if (action === "labeled" || action === "unlabeled") return labelTask(payload, label, pullRequest);
  if (!["opened", "reopened", "synchronize"].includes(action)) {
    return {
      kind: "skip",
      why: `nothing is to be done when a pull request is ${sanitizeExcerpt(action, 60)}`,
    };
  }
  if (label !== undefined && !labels.some(({ name }) => name === label)) {
    return { kind: "skip", why: `the pull request doesn't have the label ${label}` };
  }
  return { kind: "deploy", pullRequest };
}

function labelTask(payload: Payload, label: string | undefined, pullRequest: PullRequest): PreviewTask {
  if (label === undefined || payload.label?.name !== label)
    return { kind: "skip", why: "another label was changed" };
  return payload.action === "labeled"
    ? { kind: "deploy", pullRequest }
    : { kind: "delete", pullRequest, why: `the label ${label} was removed` };
}
