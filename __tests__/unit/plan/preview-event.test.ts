import { describe, expect, test } from "@jest/globals";
import { type PreviewTask, previewTask } from "../../../src/actions/preview-event.ts";
import { decide, deleted, deployed, type Given, skipped } from "./support/decide.ts";

const ofFork = skipped("the pull request comes from a fork, which gets no secrets and no preview");
const ofDependabot = skipped(
  "Dependabot's runs get none of the Actions secrets, and api_key is empty (a secret for Dependabot brings previews for these, too)",
);

test.each<[string, Given, PreviewTask]>([
  ["opened", { action: "opened" }, deployed],
  ["reopened", { action: "reopened" }, deployed],
  ["pushed to", { action: "synchronize" }, deployed],
  ["closed", { action: "closed" }, deleted("the pull request is closed")],
  [
    "pushed to when closed",
    { action: "synchronize", state: "closed" },
    skipped("the pull request is closed"),
  ],
  ["edited", { action: "edited" }, skipped("nothing is to be done when a pull request is edited")],
  [
    "made a draft",
    { action: "converted_to_draft" },
    skipped("nothing is to be done when a pull request is converted_to_draft"),
  ],
  [
    "with an action that nobody knows",
    { action: "x".repeat(500) },
    skipped(`nothing is to be done when a pull request is ${"x".repeat(59)}…`),
  ],

  ["of a fork", { action: "opened", head: "mallory/octo-repo" }, ofFork],
  ["of a fork, closed", { action: "closed", head: "mallory/octo-repo" }, ofFork],
  ["of a fork that was deleted", { action: "opened", head: null }, ofFork],
  ["of this repository in other letters", { action: "opened", head: "Octo-Org/OCTO-repo" }, deployed],

  ["of Dependabot", { action: "opened", author: "dependabot[bot]" }, deployed],
  ["of Dependabot, no key", { action: "opened", author: "dependabot[bot]", hasKey: false }, ofDependabot],
  [
    "pushed to by Dependabot, no key",
    { action: "synchronize", actor: "dependabot[bot]", hasKey: false },
    ofDependabot,
  ],
  [
    "of Dependabot, no key, closed",
    { action: "closed", author: "dependabot[bot]", hasKey: false },
    ofDependabot,
  ],
  ["of someone, no key", { action: "opened", hasKey: false }, deployed],
  ["of someone whose account is gone", { action: "opened", author: null, hasKey: false }, deployed],
])("a pull request %s", (_title, given, expected) => {
  expect(decide(given)).toEqual(expected);
});

describe("every other event is refused, whoever it is from", () => {
  const only = "preview runs on pull_request events only, not on";

  test.each([
    ["push", `${only} push.`],
    ["workflow_dispatch", `${only} workflow_dispatch.`],
    ["schedule", `${only} schedule.`],
    ["pull_request_review", `${only} pull_request_review.`],
    ["", `${only} (none).`],
    ["##[group]", `${only} ## [group].`],
    [
      "pull_request_target",
      "preview doesn't run on pull_request_target: that event hands the repository's secrets to code of a fork.",
    ],
    [
      "issue_comment",
      "preview doesn't run on issue_comment: anyone who may comment would deploy with the repository's secrets.",
    ],
  ])("%s", (event, message) => {
    const given: Given = {
      action: "opened",
      event,
      head: null,
      actor: "dependabot[bot]",
      hasKey: false,
    };
    expect(() => decide(given)).toThrow(refusal(message));
  });

  test("and so is one without a pull request", () => {
    const run = { event: "pull_request", payload: {}, repository: "octo-org/octo-repo", actor: "octocat" };
    expect(() => previewTask(run, { label: undefined, hasKey: true })).toThrow(
      refusal("The event's payload holds no pull request."),
    );
  });

  /** What the user reads of it. */
  function refusal(message: string) {
    return expect.objectContaining({
      name: "EventRefusedError",
      message,
      hint: "Start the workflow with on: pull_request, with types opened, reopened, synchronize and closed.",
    });
  }
});
