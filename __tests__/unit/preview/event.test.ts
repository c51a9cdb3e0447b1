import { describe, expect, test } from "@jest/globals";
import { EventRefusedError, previewTask } from "../../../src/plan/preview-event.ts";

interface Given {
  readonly action: string;
  readonly state?: "open" | "closed";
  readonly labels?: readonly string[];
  /** The one that was added or removed. */
  readonly changed?: string;
  readonly head?: string | null;
  readonly author?: string;
  readonly actor?: string;
  readonly wanted?: string;
  readonly hasKey?: boolean;
  readonly event?: string;
}

function decide(given: Given) {
  const { head = "octo-org/octo-repo" } = given;
  const payload = {
    action: given.action,
    ...(given.changed !== undefined && { label: { name: given.changed } }),
    pull_request: {
      number: 7,
      state: given.state ?? (given.action === "closed" ? "closed" : "open"),
      head: { sha: "abc", repo: head === null ? null : { full_name: head } },
      user: { login: given.author ?? "octocat" },
      labels: (given.labels ?? []).map((name) => ({ name })),
    },
  };
  const run = {
    event: given.event ?? "pull_request",
    payload,
    repository: "octo-org/octo-repo",
    actor: given.actor ?? "octocat",
  };
  return previewTask(run, { label: given.wanted, hasKey: given.hasKey ?? true });
}

describe.each<[string, Given, "deploy" | "delete" | RegExp]>([
  ["opened", { action: "opened" }, "deploy"],
  ["reopened", { action: "reopened" }, "deploy"],
  ["pushed to", { action: "synchronize" }, "deploy"],
  ["closed", { action: "closed" }, "delete"],
  ["labeled, no label wanted", { action: "labeled", changed: "preview" }, /another label/],
  ["unlabeled, no label wanted", { action: "unlabeled", changed: "preview" }, /another label/],
  ["edited", { action: "edited" }, /pull request is edited/],
  ["converted to a draft", { action: "converted_to_draft" }, /converted_to_draft/],
  ["an action that nobody knows", { action: "x".repeat(500) }, /^.{1,150}$/],

  ["opened with the label", { action: "opened", wanted: "preview", labels: ["a", "preview"] }, "deploy"],
  [
    "opened without the label",
    { action: "opened", wanted: "preview", labels: ["preview2"] },
    /label preview$/,
  ],
  ["pushed to without the label", { action: "synchronize", wanted: "preview" }, /label preview$/],
  ["reopened without the label", { action: "reopened", wanted: "preview" }, /label preview$/],
  ["closed without the label", { action: "closed", wanted: "preview" }, "delete"],
  [
    "given the label",
    { action: "labeled", wanted: "preview", changed: "preview", labels: ["preview"] },
    "deploy",
  ],
  [
    "given another label",
    { action: "labeled", wanted: "preview", changed: "bug", labels: ["preview", "bug"] },
    /another/,
  ],
  ["rid of the label", { action: "unlabeled", wanted: "preview", changed: "preview" }, "delete"],
  [
    "rid of another label",
    { action: "unlabeled", wanted: "preview", changed: "bug", labels: ["preview"] },
    /another/,
  ],
  [
    "given the label when closed",
    { action: "labeled", state: "closed", wanted: "preview", changed: "preview", labels: ["preview"] },
    /is closed/,
  ],
  [
    "rid of the label when closed",
    { action: "unlabeled", state: "closed", wanted: "preview", changed: "preview" },
    "delete",
  ],
  ["pushed to when closed", { action: "synchronize", state: "closed" }, /is closed/],

  ["of a fork", { action: "opened", head: "mallory/octo-repo" }, /fork/],
  ["of a fork, closed", { action: "closed", head: "mallory/octo-repo" }, /fork/],
  ["of a fork that was deleted", { action: "opened", head: null }, /fork/],
  ["of this repository in other letters", { action: "opened", head: "Octo-Org/OCTO-repo" }, "deploy"],

  ["of Dependabot", { action: "opened", author: "dependabot[bot]" }, "deploy"],
  ["of Dependabot, no key", { action: "opened", author: "dependabot[bot]", hasKey: false }, /Dependabot/],
  [
    "pushed to by Dependabot, no key",
    { action: "synchronize", actor: "dependabot[bot]", hasKey: false },
    /Dependabot/,
  ],
  [
    "of Dependabot, no key, closed",
    { action: "closed", author: "dependabot[bot]", hasKey: false },
    /Dependabot/,
  ],
  ["of someone, no key", { action: "opened", hasKey: false }, "deploy"],
])("a pull request %s", (_title, given, expected) => {
  test(`is ${expected instanceof RegExp ? "skipped" : expected}`, () => {
    const task = decide(given);
    if (expected instanceof RegExp) {
      expect(task).toEqual({ kind: "skip", why: expect.stringMatching(expected) });
    } else {
      expect(task).toMatchObject({ kind: expected, pullRequest: { number: 7, headSha: "abc" } });
    }
  });
});

describe("every other event is refused, whoever it is from", () => {
  test.each([
    "pull_request_target",
    "issue_comment",
    "push",
    "workflow_dispatch",
    "schedule",
    "pull_request_review",
    "",
  ])("%s", (event) => {
    const refused = () =>
      decide({ action: "opened", event, head: null, actor: "dependabot[bot]", hasKey: false });
    expect(refused).toThrow(EventRefusedError);
    expect(refused).toThrow(event === "" ? "(none)" : event);
  });

  test("pull_request_target and issue_comment with the reason", () => {
    expect(() => decide({ action: "opened", event: "pull_request_target" })).toThrow(
      /secrets to code of a fork/,
    );
    expect(() => decide({ action: "created", event: "issue_comment" })).toThrow(/anyone who may comment/);
  });

  test("a payload without a pull request is refused too", () => {
    const run = { event: "pull_request", payload: {}, repository: "octo-org/octo-repo", actor: "octocat" };
    expect(() => previewTask(run, { label: undefined, hasKey: true })).toThrow(EventRefusedError);
  });
});
