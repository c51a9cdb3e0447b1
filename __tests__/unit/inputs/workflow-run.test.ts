import { describe, expect, test } from "@jest/globals";
import {
  commitUrl,
  headSha,
  readWorkflowRun,
  repositoryUrl,
  runUrl,
  type WorkflowRun,
} from "../../../src/inputs/workflow-run.ts";
import { runnerDisk } from "../../../src/runner/disk.ts";

const payloadPath = "/home/runner/event.json";

/** The run of these variables, with a payload of this text where one is given. */
function runOf(env: Readonly<Record<string, string>>, payload?: string): WorkflowRun {
  const readText = (path: string) => (path === payloadPath ? payload : undefined);
  return readWorkflowRun({ env, disk: { ...runnerDisk, readText } });
}

const empty: WorkflowRun = {
  event: "",
  payload: {},
  repository: "",
  serverUrl: "https://github.com",
  sha: "",
  ref: "",
  headRef: "",
  actor: "",
  runId: "",
};
const octo = { ...empty, repository: "octo-org/octo-repo", runId: "42", sha: "merge" };

describe("the run", () => {
  test("as the runner tells it", () => {
    const variables = {
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: payloadPath,
      GITHUB_REPOSITORY: "octo-org/octo-repo",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_SHA: "0123",
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_HEAD_REF: "feature",
      GITHUB_ACTOR: "octocat",
      GITHUB_RUN_ID: "42",
    };
    expect(runOf(variables, '{"number": 7, "title": "grün"}')).toEqual({
      event: "pull_request",
      payload: { number: 7, title: "grün" },
      repository: "octo-org/octo-repo",
      serverUrl: "https://github.example",
      sha: "0123",
      ref: "refs/pull/7/merge",
      headRef: "feature",
      actor: "octocat",
      runId: "42",
    });
  });

  test("without any variable, as outside of a workflow", () => {
    expect(runOf({})).toEqual(empty);
    expect(runOf({ GITHUB_SERVER_URL: "", GITHUB_EVENT_PATH: "" })).toEqual(empty);
  });

  test.each(["", "[1]", "{", "null"])("the payload %j is taken for none", (content) => {
    expect(runOf({ GITHUB_EVENT_PATH: payloadPath }, content)).toEqual(empty);
  });

  test("a payload that isn't there is taken for none", () => {
    expect(runOf({ GITHUB_EVENT_PATH: payloadPath })).toEqual(empty);
  });
});

describe("web addresses", () => {
  test("of the repository, the run and a commit", () => {
    expect(repositoryUrl(octo)).toBe("https://github.com/octo-org/octo-repo");
    expect(runUrl(octo)).toBe("https://github.com/octo-org/octo-repo/actions/runs/42");
    expect(commitUrl(octo, "0123")?.href).toBe("https://github.com/octo-org/octo-repo/commit/0123");
  });

  test("are none outside of a workflow", () => {
    expect(repositoryUrl(empty)).toBeUndefined();
    expect(commitUrl(empty, "0123")).toBeUndefined();
  });

  test("are none for no commit, nor on a server that has no address", () => {
    expect(commitUrl(octo, "")).toBeUndefined();
    expect(commitUrl({ ...octo, serverUrl: "github" }, "0123")).toBeUndefined();
  });
});

describe("the commit that a run is about", () => {
  const payload = { pull_request: { number: 7, head: { sha: "head", ref: "feature" } } };

  test.each([
    ["pull_request", "head"],
    ["pull_request_target", "head"],
    ["pull_request_review", "merge"],
    ["pull_request_target_x", "merge"],
    ["x_pull_request", "merge"],
    ["push", "merge"],
    ["workflow_dispatch", "merge"],
    ["schedule", "merge"],
    ["", "merge"],
  ])("on %j: %s", (event, sha) => {
    expect(headSha({ ...octo, event, payload })).toBe(sha);
  });

  test.each([
    [{}],
    [{ pull_request: null }],
    [{ pull_request: {} }],
    [{ pull_request: { head: {} } }],
    [{ pull_request: { head: { sha: 1 } } }],
  ])("is the run's own where the payload %j tells no head", (incomplete) => {
    expect(headSha({ ...octo, event: "pull_request", payload: incomplete })).toBe("merge");
  });
});
