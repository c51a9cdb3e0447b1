// Which ref a run deploys and which commit it records, by its event.

import { describe, expect, test } from "@jest/globals";
import { eventPullRequest, headOf } from "../../support/event-pull-request.ts";
import {
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  sha,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { gitIn, inFolder, plainConfig, writeTree } from "../../support/source-tree.ts";
import { evaluateCondition } from "../../support/workflow/evaluate.ts";

const head = sha("1");
const merge = sha("f");
const files = { "app/config.json": "{}", "langgraph.json": "{}" };

interface PullRequestEvent {
  readonly name?: string;
  readonly action?: string;
  readonly merged?: boolean;
  readonly base?: string;
  readonly headRepository?: string | null;
}

/** A run of the root action for an event of a pull request from `topic`. */
function deployOn({ run }: Scenario, event: PullRequestEvent, inputs: Inputs = {}, env: Inputs = {}) {
  const { name = "pull_request", action = "closed", base = "main" } = event;
  const { merged = false, headRepository = "octo-org/octo-repo" } = event;
  const pull_request = eventPullRequest({
    state: action === "closed" ? "closed" : "open",
    merged,
    merge_commit_sha: action === "closed" && !merged ? null : merge,
    head: headOf(headRepository, head),
    base: { ref: base },
  });
  const isOfBase = merged || name === "pull_request_target";
  const variables = {
    GITHUB_REF: isOfBase ? `refs/heads/${base}` : "refs/pull/7/merge",
    GITHUB_BASE_REF: base,
    GITHUB_SHA: merge,
  };
  return run("deploy", {
    event: { name, payload: { action, number: 7, pull_request } },
    env: { ...variables, ...env },
    inputs: { name: "agent", environment: "staging", ...inputs },
  });
}

const pushed = { repository: "octo-org/octo-repo", event_name: "push", event: { ref: "refs/heads/main" } };

function pullRequestFrom(full_name: string) {
  return {
    ...pushed,
    event_name: "pull_request",
    event: { pull_request: { head: { repo: { full_name } } } },
  };
}

/** Whether a job with the condition that the error advises runs, if this is its context `github`. */
function runsWithAdvice({ errors }: ScenarioRun, github: object): boolean {
  const [, condition] = /if: (.+?)(?:, or| to the job)/.exec(errors.join()) ?? [];
  return evaluateCondition(condition, { github });
}

async function startWith(platform: "standard" | "langsmith", branches: readonly string[] = ["main"]) {
  const commits = { main: merge, topic: head };
  const scenario = await startScenario({ platform, commits, statusSeconds: 0 });
  scenario.github.repository.commit(merge, files);
  for (const branch of branches) {
    scenario.github.repository.commit(branch === "topic" ? head : merge, files, `heads/${branch}`);
  }
  return scenario;
}

describe.each(["standard", "langsmith"] as const)("on platform %s", (platform) => {
  test.each<[string, PullRequestEvent, string[], Inputs, string, string]>([
    ["a merged pull request", { merged: true }, ["topic"], {}, "main", merge],
    ["one whose branch was deleted", { merged: true }, [], {}, "main", merge],
    ["one of a fork that is gone", { merged: true, headRepository: null }, [], {}, "main", merge],
    ["one merged into another branch", { merged: true, base: "rel/2" }, ["rel/2"], {}, "rel/2", merge],
    ["a merge with another repo_ref", { merged: true }, ["stable"], { repo_ref: "stable" }, "stable", merge],
    ["one that is open", { action: "opened" }, ["topic"], {}, "topic", head],
  ])(
    "%s deploys the right branch and records its commit",
    async (_what, event, branches, inputs, ref, commit) => {
      const scenario = await startWith(platform, branches);

      const run = await deployOn(scenario, event, inputs);

      expect(run.errors).toEqual([]);
      expect(writes(run.requests)).toMatchObject([{ body: { source_revision_config: { repo_ref: ref } } }]);
      expect(scenario.github.deployments()).toMatchObject([{ ref: commit }]);
    },
  );

  test.each(["octo-org/octo-repo", "stranger/octo-repo"])(
    "pull_request_target deploys the base branch, also if the head branch of %s exists here",
    async (headRepository) => {
      const scenario = await startWith(platform, ["main", "topic"]);
      const event = { name: "pull_request_target", action: "opened", headRepository };

      const run = await deployOn(scenario, event);

      expect(run.errors).toEqual([]);
      expect(writes(run.requests)).toMatchObject([
        { body: { source_revision_config: { repo_ref: "main" } } },
      ]);
      expect(scenario.github.deployments()).toMatchObject([{ ref: merge }]);
    },
  );

  test.each<[string, PullRequestEvent, string]>([
    ["a pull request of a fork", { headRepository: "stranger/octo-repo" }, "from a fork"],
    ["one of a fork that is gone", { headRepository: null }, "from a fork"],
    ["a review", { name: "pull_request_review" }, "refs/pull/7/merge is neither a branch nor a tag"],
  ])("%s has no ref of this repository, and needs repo_ref", async (_what, event, reason) => {
    const scenario = await startWith(platform, ["topic"]);

    const run = await deployOn(scenario, { action: "opened", ...event });
    const given = await deployOn(scenario, { action: "opened", ...event }, { repo_ref: "topic" });

    expectError(run, "Input repo_ref is required", reason);
    expect(run.requests).toEqual([]);
    expect(given.outputs.outcome).toBe("deployed");
  });

  test("a pull request that was closed without a merge deploys nothing", async () => {
    const scenario = await startWith(platform, ["topic"]);

    const run = await deployOn(scenario, {});

    expectError(run, "without a merge", "to the job");
    expect(run.requests).toEqual([]);
    expect(runsWithAdvice(run, pushed)).toBe(true);
    expect(runsWithAdvice(run, { event: { action: "closed", pull_request: { merged: true } } })).toBe(true);
    expect(runsWithAdvice(run, { event: { action: "closed", pull_request: { merged: false } } })).toBe(false);
  });

  test.each(["refs/heads/feature/desk", "feature/desk"])(
    "the branch %s is sent by its name",
    async (repo_ref) => {
      const scenario = await startWith(platform, ["feature/desk"]);

      const run = await scenario.deploy({ repo_ref });

      expect(run.errors).toEqual([]);
      expect(scenario.stored().revisions[0]?.source_revision_config).toMatchObject({
        repo_ref: "feature/desk",
      });
    },
  );

  test.each(["refs/pull/7/merge", "refs/heads/", "refs/tags/", "refs/remotes/origin/main"])(
    "the ref %s is an input error",
    async (repo_ref) => {
      const run = await (await startWith(platform)).deploy({ repo_ref });

      expectError(run, "repo_ref", repo_ref, "refs/tags/NAME");
      expect(run.requests).toEqual([]);
    },
  );

  test("a push of a tag sends its full name", async () => {
    const scenario = await startWith(platform);

    await scenario.deploy({}, { GITHUB_REF: "refs/tags/v1.4.0" });

    expect(scenario.stored().revisions[0]?.source_revision_config).toMatchObject({
      repo_ref: "refs/tags/v1.4.0",
    });
  });

  test("a missing key on a pull request of a fork is explained", async () => {
    const scenario = await startWith(platform);
    const fork = { action: "opened", headRepository: "stranger/octo-repo" };

    const inputs = { api_key: "", repo_ref: "main" };
    const run = await deployOn(scenario, fork, inputs);

    expectError(run, "api_key", "from a fork", "no secrets");
    expect(runsWithAdvice(run, pushed)).toBe(true);
    expect(runsWithAdvice(run, pullRequestFrom(pushed.repository))).toBe(true);
    expect(runsWithAdvice(run, pullRequestFrom("stranger/octo-repo"))).toBe(false);
    expect((await scenario.deploy({ api_key: "" })).log).not.toContain("fork");
  });

  test("a branch of the run that is gone is no mistake of an input", async () => {
    const scenario = await startWith(platform);
    const event = { action: "opened" };

    const gone = await deployOn(scenario, event);
    const given = await deployOn(scenario, event, { repo_ref: "topic" });

    expectError(gone, "topic, the ref of this run, does not exist any more");
    expectError(given, "Input repo_ref names topic", "Push the branch");
  });

  test("a branch of a merge queue that is gone was merged", async () => {
    const branch = "gh-readonly-queue/main/pr-7-0123";
    const scenario = await startWith(platform);

    const run = await scenario.run("deploy", {
      event: { name: "merge_group", payload: { action: "checks_requested" } },
      env: { GITHUB_REF: `refs/heads/${branch}`, GITHUB_SHA: merge },
      inputs: { name: "agent" },
    });

    expectError(run, `${branch}, the ref of this run`, "If it was merged");
  });
});

test("verify_commit wants the merge commit of a merged pull request", async () => {
  const scenario = await startWith("langsmith", ["topic"]);

  const run = await deployOn(scenario, { merged: true }, { repo_ref: "main", verify_commit: "true" });

  expect(run.errors).toEqual([]);
  expect(run.outputs).toMatchObject({ outcome: "deployed", commit_sha: merge });
});

const ofMerge = (scenario: Scenario, inputs: Inputs, env: Inputs) =>
  deployOn(scenario, { merged: true }, inputs, env);
const byHand = ({ run }: Scenario, inputs: Inputs, env: Inputs) =>
  run("deploy", {
    event: { name: "workflow_dispatch", payload: { inputs: { ref: "v1.3.9" } } },
    env: { GITHUB_REF: "refs/heads/main", GITHUB_SHA: merge, ...env },
    inputs: { name: "agent", environment: "staging", ...inputs },
  });

test.each([
  ["after a merge", ofMerge, true],
  ["of a manual run", byHand, true],
  ["of a folder without a checkout", byHand, false],
])(
  "an upload %s is recorded with the commit that is checked out, or else the run's",
  async (_what, deploy, hasGit) => {
    const scenario = await startWith("langsmith", ["topic"]);

    await inFolder(async (folder) => {
      writeTree(folder, { ...files, "langgraph.json": plainConfig });
      if (hasGit) {
        gitIn(folder, "init", "--quiet");
        gitIn(folder, "remote", "add", "origin", "https://github.com/octo-org/octo-repo");
        gitIn(folder, "add", ".");
        gitIn(folder, "commit", "--quiet", "--message", "other");
      }
      const commit = hasGit ? gitIn(folder, "rev-parse", "HEAD").trim() : merge;
      scenario.github.repository.commit(commit, files);

      const inputs = { source_path: ".", app_config_path: "" };
      const run = await deploy(scenario, inputs, { GITHUB_WORKSPACE: folder });

      expect(run.errors).toEqual([]);
      expect(run.outputs.commit_sha).toBe(hasGit ? commit : undefined);
      expect(scenario.github.deployments()).toMatchObject([{ ref: commit }]);
    });
  },
);

test("source_path is refused on pull_request_target", async () => {
  const scenario = await startWith("langsmith");
  const event = { name: "pull_request_target", action: "opened", headRepository: "stranger/octo-repo" };

  const run = await deployOn(scenario, event, { source_path: "." });

  expectError(run, "source_path", "pull_request_target");
  expect(run.requests).toEqual([]);
});
