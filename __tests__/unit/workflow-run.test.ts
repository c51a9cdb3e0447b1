import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import {
  commitUrl,
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

const folder = mkdtempSync(join(tmpdir(), "workflow-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

const outside: WorkflowRun = {
  event: "",
  payload: {},
  repository: "",
  serverUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  sha: "",
  ref: "",
  headRef: "",
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
  GITHUB_SHA: "0123",
  GITHUB_REF: "refs/pull/7/merge",
  GITHUB_HEAD_REF: "feature",
  GITHUB_ACTOR: "octocat",
  GITHUB_RUN_ID: "42",
  GITHUB_RUN_ATTEMPT: "3",
};
const run: WorkflowRun = {
  event: variables.GITHUB_EVENT_NAME,
  payload: {},
  repository: variables.GITHUB_REPOSITORY,
  serverUrl: variables.GITHUB_SERVER_URL,
  apiUrl: variables.GITHUB_API_URL,
  sha: variables.GITHUB_SHA,
  ref: variables.GITHUB_REF,
  headRef: variables.GITHUB_HEAD_REF,
  actor: variables.GITHUB_ACTOR,
  runId: variables.GITHUB_RUN_ID,
  runAttempt: 3,
};

/** Returns the run that these variables describe, which warns of nothing. */
function read(env: Record<string, string>): WorkflowRun {
  return readWorkflowRun(env, (warning) => {
    throw new Error(warning);
  });
}

function eventFile(text: string): string {
  const path = join(folder, "event.json");
  writeFileSync(path, text);
  return path;
}

describe("a workflow run", () => {
  test("is read from the runner's variables and the event's file", () => {
    const path = eventFile('{"number": 7, "title": "grün"}');

    expect(read({ ...variables, GITHUB_EVENT_PATH: path })).toEqual({
      ...run,
      payload: { number: 7, title: "grün" },
    });
  });

  test("is empty outside of a workflow", () => {
    const empty = { GITHUB_SERVER_URL: "", GITHUB_API_URL: "", GITHUB_EVENT_PATH: "" };

    expect(read({})).toEqual(outside);
    expect(read(empty)).toEqual(outside);
  });

  test.each<[string, () => string]>([
    ["is missing", () => join(folder, "missing.json")],
    ...["", "[1]", "{", "null", "1"].map((text): [string, () => string] => [
      `contains ${JSON.stringify(text)}`,
      () => eventFile(text),
    ]),
  ])("has no payload, but a warning, if the event's file %s", (_what, makePath) => {
    const warnings: string[] = [];
    const path = makePath();

    expect(readWorkflowRun({ ...variables, GITHUB_EVENT_PATH: path }, (text) => warnings.push(text))).toEqual(
      run,
    );
    expect(warnings).toEqual([expect.stringContaining("GITHUB_EVENT_PATH")]);
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

describe("the commit that a run is about", () => {
  const payload = { pull_request: { number: 7, head: { sha: "head", ref: "feature" } } };

  test.each([
    ["pull_request", "head"],
    ["pull_request_target", "merge"],
    ["pull_request_review", "merge"],
    ["pull_request_target_x", "merge"],
    ["x_pull_request", "merge"],
    ["push", "merge"],
    ["", "merge"],
  ])("is for the event %j that of %s", (event, sha) => {
    expect(headSha({ ...octo, event, payload })).toBe(sha);
  });

  test.each([null, {}, { head: {} }, { head: { sha: 1 } }])(
    "is that of the run if the payload has the pull request %j",
    (pull_request) => {
      expect(headSha({ ...octo, event: "pull_request", payload: { pull_request } })).toBe("merge");
    },
  );
});

describe("a run of a merged pull request", () => {
  const repo = { full_name: "octo-org/octo-repo" };
  const pull_request = { merged: true, head: { sha: "head", repo }, base: { ref: "release/2.x" } };
  const merged = { ...octo, ref: "refs/pull/7/merge", headRef: "topic" };
  const runOf = (event: string, changes: object = {}) => ({
    ...merged,
    event,
    payload: { action: "closed", pull_request: { ...pull_request, ...changes } },
  });

  test.each(["pull_request", "pull_request_target"])("is about the base branch (%s)", (event) => {
    const run = runOf(event, { merge_commit_sha: "merged" });

    expect(refOfRun(run)).toBe("release/2.x");
    expect(headSha(run)).toBe("merged");
    expect(isClosedUnmerged(run)).toBe(false);
  });

  test.each<[string, object, string, string]>([
    ["no merge commit", { merge_commit_sha: null }, "release/2.x", "merge"],
    ["no base", { base: null, merge_commit_sha: "merged" }, "topic", "merged"],
    ["no merge", { merged: false }, "topic", "head"],
  ])("is about what is known if the event has %s", (_what, changes, ref, sha) => {
    expect(refOfRun(runOf("pull_request", changes))).toBe(ref);
    expect(headSha(runOf("pull_request", changes))).toBe(sha);
  });

  test("is unknown if the event doesn't show the pull request, which may be one of a fork", () => {
    const run = { ...octo, event: "pull_request", headRef: "main", ref: "refs/pull/7/merge" };

    expect(refOfRun(run)).toBeUndefined();
    expect(refOfRun({ ...run, payload: { pull_request: {} } })).toBeUndefined();
  });

  test("is none for a review", () => {
    expect(refOfRun(runOf("pull_request_review"))).toBeUndefined();
    expect(headSha(runOf("pull_request_review"))).toBe("merge");
  });

  test.each([
    ["closed", false, true],
    ["closed", null, true],
    ["closed", true, false],
    ["labeled", true, false],
  ])("was %s, with merged %s: is one without a merge: %s", (action, isMerged, expected) => {
    const payload = { action, pull_request: { ...pull_request, merged: isMerged } };

    expect(isClosedUnmerged({ event: "pull_request", payload })).toBe(expected);
    expect(isClosedUnmerged({ event: "issue_comment", payload })).toBe(false);
  });
});

test.each([
  ["closed", true],
  ["open", false],
  [undefined, false],
])("a label of a pull request whose state is %s is about one without a merge: %s", (state, expected) => {
  const payload = { action: "labeled", pull_request: { state, merged: false } };

  expect(isClosedUnmerged({ event: "pull_request", payload })).toBe(expected);
});

test.each<[string, unknown, boolean]>([
  ["of this repository", { full_name: "Octo-Org/octo-repo" }, false],
  ["of another repository", { full_name: "stranger/octo-repo" }, true],
  ["of a repository that is gone", null, true],
])("a pull request %s is one of a fork: %s %s", (_what, repo, expected) => {
  const payload = { pull_request: { head: { sha: "head", repo } } };

  expect(isOfFork({ ...octo, event: "pull_request", payload })).toBe(expected);
  expect(isOfFork({ ...octo, event: "push", payload })).toBe(false);
  expect(isOfFork({ ...octo, event: "pull_request_target", payload })).toBe(false);
});

test.each([
  ["refs/heads/main", "", "main"],
  ["refs/heads/feature/a/b", "", "feature/a/b"],
  ["refs/heads/refs/heads/odd", "", "refs/heads/odd"],
  ["refs/tags/v1.0", "", "refs/tags/v1.0"],
  ["refs/pull/7/merge", "topic", undefined],
  ["refs/heads/main", "topic", "main"],
  ["refs/pull/7/merge", "", undefined],
  ["", "", undefined],
])("a run of %j with the head branch %j deploys %j by default", (ref, headRef, expected) => {
  expect(refOfRun({ ...outside, ref, headRef })).toBe(expected);
});

test.each([
  ["main", "refs/heads/main"],
  ["feature/a", "refs/heads/feature/a"],
  ["refs/heads/main", "refs/heads/main"],
  ["refs/tags/v1", "refs/tags/v1"],
])("the full name of the ref %s is %s", (ref, full) => {
  expect(fullRef(ref)).toBe(full);
});
