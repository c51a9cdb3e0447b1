import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import {
  commitUrl,
  type EventPullRequest,
  fullRef,
  headSha,
  isClosedUnmerged,
  isOfFork,
  readWorkflowRun,
  refOfRun,
  repositoryUrl,
  runUrl,
  type WorkflowRun,
} from "../../src/workflow-run.ts";
import { eventPullRequest, headOf } from "../support/event-pull-request.ts";

const folder = mkdtempSync(join(tmpdir(), "workflow-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

const outside: WorkflowRun = {
  event: "",
  pullRequestEvent: undefined,
  repository: "",
  serverUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  workspace: process.cwd(),
  sha: "",
  ref: "",
  actor: "",
  runId: "",
  runAttempt: 1,
};
const octo = { ...outside, repository: "octo-org/octo-repo", runId: "42", sha: "merge" };
const variables = {
  GITHUB_EVENT_NAME: "pull_request",
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_API_URL: "https://github.example/api/v3",
  GITHUB_WORKSPACE: "/workspace",
  GITHUB_SHA: "0123",
  GITHUB_REF: "refs/pull/7/merge",
  GITHUB_ACTOR: "octocat",
  GITHUB_RUN_ID: "42",
  GITHUB_RUN_ATTEMPT: "3",
};
const run: WorkflowRun = {
  event: variables.GITHUB_EVENT_NAME,
  pullRequestEvent: undefined,
  repository: variables.GITHUB_REPOSITORY,
  serverUrl: variables.GITHUB_SERVER_URL,
  apiUrl: variables.GITHUB_API_URL,
  workspace: variables.GITHUB_WORKSPACE,
  sha: variables.GITHUB_SHA,
  ref: variables.GITHUB_REF,
  actor: variables.GITHUB_ACTOR,
  runId: variables.GITHUB_RUN_ID,
  runAttempt: 3,
};

function eventFile(text: string): string {
  const path = join(folder, "event.json");
  writeFileSync(path, text);
  return path;
}

describe("a workflow run", () => {
  test("is read from the runner's variables and the event's file", () => {
    const pullRequestEvent = { action: "labeled", label: { name: "grün" }, pull_request: eventPullRequest() };
    const path = eventFile(JSON.stringify({ ...pullRequestEvent, sender: {} }));

    expect(readWorkflowRun({ ...variables, GITHUB_EVENT_PATH: path })).toEqual({ ...run, pullRequestEvent });
    for (const event of ["pull_request_review", "pull_request_target_x", "x_pull_request", "push"]) {
      const read = readWorkflowRun({ ...variables, GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path });
      expect(read.pullRequestEvent).toBeUndefined();
    }
  });

  test("may have an event with few fields, as one that was written for act", () => {
    const head = { ref: "feature", sha: "f".repeat(40), repo: { full_name: "octo-org/octo-repo" } };
    const pull_request = { number: 1, state: "open", head, base: { ref: "main" } };
    const path = eventFile(JSON.stringify({ action: "opened", pull_request }));

    expect(readWorkflowRun({ ...variables, GITHUB_EVENT_PATH: path }).pullRequestEvent).toEqual({
      action: "opened",
      pull_request: { ...pull_request, merged: false, labels: [] },
    });
  });

  test("is empty outside of a workflow", () => {
    const empty = { GITHUB_SERVER_URL: "", GITHUB_API_URL: "", GITHUB_EVENT_PATH: "" };

    expect(readWorkflowRun({})).toEqual(outside);
    expect(readWorkflowRun(empty)).toEqual(outside);
  });

  test.each<[string, () => string]>([
    ["is missing", () => join(folder, "missing.json")],
    ...["", "[1]", "{", "{}", "null", "1", '{"action": "opened", "pull_request": { "number": 7 }}'].map(
      (text): [string, () => string] => [`contains ${JSON.stringify(text)}`, () => eventFile(text)],
    ),
  ])("has no pull request if the event's file %s", (_what, makePath) => {
    expect(readWorkflowRun({ ...variables, GITHUB_EVENT_PATH: makePath() })).toEqual(run);
  });
});

test("the repository, the run and its commits have URLs, except outside of a workflow", () => {
  expect(repositoryUrl(octo)).toBe("https://github.com/octo-org/octo-repo");
  expect(runUrl(octo)).toBe("https://github.com/octo-org/octo-repo/actions/runs/42");
  expect(commitUrl(octo, "0123")?.href).toBe("https://github.com/octo-org/octo-repo/commit/0123");
  expect(repositoryUrl(outside)).toBeUndefined();
  expect(commitUrl(outside, "0123")).toBeUndefined();
  expect(commitUrl(octo, "")).toBeUndefined();
});

/** A run for an event of a pull request to `release/2.x`. */
function runOf(event: string, changes: Partial<EventPullRequest> = {}): WorkflowRun {
  const pull_request = eventPullRequest({ base: { ref: "release/2.x" }, ...changes });
  const pullRequestEvent = { action: "opened", pull_request };
  return { ...octo, event, ref: "refs/heads/main", pullRequestEvent };
}

test.each<[string, Partial<EventPullRequest>, string, string | undefined, string]>([
  ["pull_request", {}, "an open one", "topic", "head"],
  ["pull_request", { head: headOf(null) }, "a fork's", undefined, "head"],
  [
    "pull_request",
    { state: "closed", merged: true, merge_commit_sha: "merged" },
    "a merged one",
    "release/2.x",
    "merged",
  ],
  ["pull_request", { merged: true, merge_commit_sha: null }, "one without its merge", "release/2.x", "merge"],
  ["pull_request_target", {}, "an open one", "main", "merge"],
  [
    "pull_request_target",
    { merged: true, merge_commit_sha: "merged" },
    "a merged one",
    "release/2.x",
    "merged",
  ],
])("a run for the event %s with %j, %s, is about %s at %s", (event, changes, _what, ref, sha) => {
  const run = runOf(event, changes);

  expect(refOfRun(run)).toBe(ref);
  expect(headSha(run)).toBe(sha);
});

test("a run of a pull request that its event does not show has no branch, because that may be one of a fork", () => {
  const run = { ...runOf("pull_request"), pullRequestEvent: undefined };

  expect(refOfRun(run)).toBeUndefined();
  expect(headSha(run)).toBe("merge");
  expect(isOfFork(run)).toBe(false);
});

test.each([
  ["pull_request", { state: "closed" }, true],
  ["pull_request_target", { state: "closed" }, true],
  ["pull_request", { state: "closed", merged: true }, false],
  ["pull_request", {}, false],
])("an event %s of a pull request with %j is about one without a merge: %s", (event, changes, expected) => {
  expect(isClosedUnmerged(runOf(event, changes))).toBe(expected);
});

test.each<[string, string | null, boolean]>([
  ["of this repository", "Octo-Org/octo-repo", false],
  ["of another repository", "stranger/octo-repo", true],
  ["of a repository that is gone", null, true],
])("a pull request %s is one of a fork: %s %s", (_what, repository, expected) => {
  const head = headOf(repository);

  expect(isOfFork(runOf("pull_request", { head }))).toBe(expected);
  expect(isOfFork(runOf("push", { head }))).toBe(false);
  expect(isOfFork(runOf("pull_request_target", { head }))).toBe(false);
});

test.each([
  ["refs/heads/main", "main"],
  ["refs/heads/feature/a/b", "feature/a/b"],
  ["refs/heads/refs/heads/odd", "refs/heads/odd"],
  ["refs/tags/v1.0", "refs/tags/v1.0"],
  ["refs/pull/7/merge", undefined],
  ["", undefined],
])("a run of %j deploys %j by default", (ref, expected) => {
  expect(refOfRun({ ...outside, ref })).toBe(expected);
});

test.each([
  ["main", "refs/heads/main"],
  ["feature/a", "refs/heads/feature/a"],
  ["refs/heads/main", "refs/heads/main"],
  ["refs/tags/v1", "refs/tags/v1"],
])("the full name of the ref %s is %s", (ref, full) => {
  expect(fullRef(ref)).toBe(full);
});
