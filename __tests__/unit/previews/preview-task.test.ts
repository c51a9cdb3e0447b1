import { describe, expect, test } from "@jest/globals";
import { type PreviewTask, previewTask } from "../../../src/previews/preview-task.ts";
import { readWorkflowRun } from "../../../src/workflow-run.ts";
import { eventPullRequest, headOf } from "../../support/event-pull-request.ts";
import { messageMatching } from "../../support/message-matching.ts";

/** An event about pull request 7 of `octo-org/octo-repo`. */
interface Given {
  readonly action: string;
  readonly state?: "open" | "closed";
  readonly labels?: readonly string[];
  /** The label that was added or removed. */
  readonly changed?: string;
  /** `null`: the repository of the head was deleted. */
  readonly head?: string | null;
  /** `null`: the account was deleted. */
  readonly author?: string | null;
  readonly actor?: string;
  /** The input `label`. */
  readonly wanted?: string;
  readonly hasKey?: boolean;
  readonly event?: string;
}

const octo = readWorkflowRun({ GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_ACTOR: "octocat" });

function taskFor(given: Given): PreviewTask {
  const { head = "octo-org/octo-repo", author = "octocat" } = given;
  const pullRequestEvent = {
    action: given.action,
    ...(given.changed !== undefined && { label: { name: given.changed } }),
    pull_request: eventPullRequest({
      state: given.state ?? (given.action === "closed" ? "closed" : "open"),
      head: headOf(head),
      user: author === null ? null : { login: author },
      labels: (given.labels ?? []).map((name) => ({ name })),
    }),
  };
  const { event = "pull_request", actor = "octocat" } = given;
  return previewTask(
    { ...octo, event, actor, pullRequestEvent },
    { label: given.wanted, hasKey: given.hasKey ?? true },
  );
}

const pullRequest = 7;
const deploys = { kind: "deploy", pullRequest };
const deletes = (reason: RegExp) => ({ kind: "delete", pullRequest, reason: messageMatching(reason) });
const skips = (reason: RegExp) => ({ kind: "skip", reason: messageMatching(reason) });
const isClosed = /^the pull request is closed$/;
const fork = skips(/^the pull request comes from mallory\/octo-repo, not octo-org\/octo-repo, /);
const deletedFork = skips(/^the pull request comes from \(deleted\), not octo-org\/octo-repo, /);
const dependabot = skips(/^runs for Dependabot cannot .* Add the secret of api_key /);

test.each<[string, Given, unknown]>([
  ["that was opened is deployed", { action: "opened" }, deploys],
  ["that was reopened is deployed", { action: "reopened" }, deploys],
  ["that got a push is deployed", { action: "synchronize" }, deploys],
  ["that left its draft is deployed", { action: "ready_for_review" }, deploys],
  ["that was closed is deleted", { action: "closed" }, deletes(isClosed)],
  [
    "that got a push after it was closed is skipped",
    { action: "synchronize", state: "closed" },
    skips(isClosed),
  ],
  ["that was edited is skipped", { action: "edited" }, skips(/nothing to do .* is edited$/)],
  ["with an unknown action is skipped", { action: "pinned" }, skips(/ is pinned$/)],

  ["of a fork is skipped", { action: "opened", head: "mallory/octo-repo" }, fork],
  ["of a fork that was closed is skipped", { action: "closed", head: "mallory/octo-repo" }, fork],
  ["of a deleted fork is skipped", { action: "opened", head: null }, deletedFork],
  [
    "of this repository in another case is deployed",
    { action: "opened", head: "Octo-Org/OCTO-repo" },
    deploys,
  ],

  ["of Dependabot with a key is deployed", { action: "opened", author: "dependabot[bot]" }, deploys],
  [
    "of Dependabot without a key is skipped",
    { action: "opened", author: "dependabot[bot]", hasKey: false },
    dependabot,
  ],
  [
    "that got a push of Dependabot without a key is skipped",
    { action: "synchronize", actor: "dependabot[bot]", hasKey: false },
    dependabot,
  ],
  [
    "of Dependabot without a key that was closed is skipped",
    { action: "closed", author: "dependabot[bot]", hasKey: false },
    dependabot,
  ],
  [
    "of anyone else without a key is deployed, which fails later",
    { action: "opened", hasKey: false },
    deploys,
  ],
  ["of a deleted account is deployed", { action: "opened", author: null, hasKey: false }, deploys],
])("the preview of a pull request %s", (_what, given, expected) => {
  expect(taskFor(given)).toEqual(expected);
});

const otherLabel = skips(/^a label other than preview was changed$/);
const anyLabel = skips(/^labels have no effect without the input label$/);
const unlabelled = skips(/does not have the label preview$/);
const lostLabel = deletes(/^the label preview was removed$/);

test.each<[string, Given, unknown]>([
  ["was opened with it is deployed", { action: "opened", labels: ["a", "preview"] }, deploys],
  ["was opened with it in another case is deployed", { action: "opened", labels: ["Preview"] }, deploys],
  [
    "got it in another case is deployed",
    { action: "labeled", changed: "PREVIEW", labels: ["Preview"] },
    deploys,
  ],
  ["was opened without it is skipped", { action: "opened", labels: ["preview2"] }, unlabelled],
  ["got a push without it is skipped", { action: "synchronize" }, unlabelled],
  ["was reopened without it is skipped", { action: "reopened" }, unlabelled],
  ["was closed without it is deleted", { action: "closed" }, deletes(isClosed)],
  ["got it is deployed", { action: "labeled", changed: "preview", labels: ["preview"] }, deploys],
  [
    "got it after it was closed is skipped",
    { action: "labeled", state: "closed", changed: "preview", labels: ["preview"] },
    skips(isClosed),
  ],
  [
    "got another label is skipped",
    { action: "labeled", changed: "bug", labels: ["preview", "bug"] },
    otherLabel,
  ],
  ["got an unknown label is skipped", { action: "labeled", labels: ["preview"] }, otherLabel],
  ["lost it is deleted", { action: "unlabeled", changed: "preview" }, lostLabel],
  [
    "lost it after it was closed is deleted",
    { action: "unlabeled", state: "closed", changed: "preview" },
    lostLabel,
  ],
  ["lost another label is skipped", { action: "unlabeled", changed: "bug", labels: ["preview"] }, otherLabel],
])("with a label to wait for, the preview of a pull request that %s", (_what, given, expected) => {
  expect(taskFor({ wanted: "preview", ...given })).toEqual(expected);
});

test.each<Given>([
  { action: "labeled", changed: "preview" },
  { action: "unlabeled", changed: "preview" },
  { action: "labeled" },
])("without a label to wait for, a change of labels is skipped: %j", (given) => {
  expect(taskFor(given)).toEqual(anyLabel);
});

test("a run for a merge queue is skipped, because its pull requests have previews of their own", () => {
  const run = { ...octo, event: "merge_group" };

  expect(previewTask(run, { label: "preview", hasKey: true })).toEqual(skips(/^a merge queue needs none/));
});

describe("another event", () => {
  const refusal = (message: RegExp) =>
    expect.objectContaining({
      message: expect.stringMatching(message),
      ending: expect.objectContaining({
        hint: messageMatching(
          /on: pull_request, .* closed, and also labeled and unlabeled if you use label\.$/,
        ),
      }),
    });

  test.each([
    ["push", /pull_request events only, not on push: others/],
    ["workflow_dispatch", /, not on workflow_dispatch: /],
    ["schedule", /, not on schedule: /],
    ["pull_request_review", /, not on pull_request_review: /],
    ["", /, not on \(none\): /],
    ["pull_request_target", /not on pull_request_target: .*secrets to the code of a fork/],
    ["issue_comment", /not on issue_comment: .*secrets .*anyone who may comment/],
  ])("%j is refused, whoever started it", (event, message) => {
    const given: Given = { action: "opened", event, head: null, actor: "dependabot[bot]", hasKey: false };

    expect(() => taskFor(given)).toThrow(refusal(message));
  });

  test("without a pull request is refused", () => {
    const run = { ...octo, event: "pull_request" };

    expect(() => previewTask(run, { label: undefined, hasKey: true })).toThrow(
      refusal(/has no pull request/),
    );
  });
});
