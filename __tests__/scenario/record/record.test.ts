import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { type Inputs, immediate, type ScenarioOptions, sha, startScenario } from "../../support/scenario.ts";
import { recordStates } from "./support.ts";

const inputs: Inputs = { name: "agent", environment: "staging" };

test("a revision that is shown to be another run's is recorded as a failure, and not watched by a re-run", async () => {
  const scenario = await startScenario(immediate);
  const { emulator, existing, run, stored } = scenario;
  const { id } = await existing();
  const patched = { body: { id, latest_revision_id: "r" }, applied: true };
  emulator.addFault(answer("PATCH", 200, patched));
  const source_revision_config = { repo_ref: "theirs", repo_commit_sha: sha("9") };
  const body = { id: "r", status: "BUILDING", source_revision_config };
  emulator.addFault(answer("GET /revisions/r$", 200, { body, times: "always" }));
  const env = { GITHUB_RUN_ID: "77" };

  const first = await run("deploy", { inputs, env });
  expect(first.outputs).toMatchObject({ outcome: "failed", revision_id: "" });
  expect(first.outputs.commit_sha ?? "").toBe("");
  expect(recordStates(scenario)).toEqual([["in_progress", "failure"]]);

  const again = await run("deploy", { inputs, env });
  expect(again.outputs).toMatchObject({
    outcome: "deployed",
    revision_id: stored().latest_revision_id,
  });
});

test("a deployment with an environment is recorded with its revision, and then with its URL", async () => {
  const { github, run } = await startScenario(immediate);

  const custom = { custom_url: "https://agent.example", serving_check: "off" };
  const { outputs } = await run("deploy", { inputs: { ...inputs, ...custom } });

  expect(github.deployments()).toMatchObject([
    {
      ref: github.env.GITHUB_SHA,
      task: "deploy:agent",
      environment: "staging",
      transient: false,
      production: false,
      payload: {
        deployment_id: outputs.deployment_id,
        revision_id: outputs.revision_id,
        name: "agent",
        run_id: "1001",
      },
    },
  ]);
  const logUrl = "https://github.com/octo-org/octo-repo/actions/runs/1001";
  expect(github.statuses(github.deployments()[0]?.id ?? 0)).toMatchObject([
    { state: "success", logUrl, environmentUrl: outputs.deployment_url },
    { state: "in_progress", logUrl, environmentUrl: "" },
  ]);
  const posts = github.requests.filter(({ method, path }) => method === "POST" && path !== "/graphql");
  expect(posts.map(({ body }) => body)).toMatchObject([
    { auto_merge: false, required_contexts: [] },
    { auto_inactive: false, description: expect.stringContaining(String(outputs.revision_id)) },
    { auto_inactive: false, description: "deployed (DEPLOYED)" },
  ]);
});

test("without an environment nothing is recorded, and no records are read", async () => {
  const { github, run } = await startScenario(immediate);

  const { outputs, state } = await run("deploy", { inputs: { name: "agent" } });

  expect(outputs.outcome).toBe("deployed");
  expect(github.requests.filter(({ path }) => /deployments|graphql/.test(path))).toEqual([]);
  expect(state).toEqual({ unfinished: "" });
});

test.each<[string, Inputs, ScenarioOptions, boolean]>([
  ["a record", inputs, {}, true],
  ["no record", { name: "agent" }, {}, false],
  ["no permission for one", inputs, { github: { permissions: { deployments: "read" } } }, false],
])("with %s, the hint of a timeout names a re-run only if it would resume", async (...row) => {
  const [_what, given, options, resumes] = row;
  const { run } = await startScenario({ statusSeconds: 100, ...options });

  const { errors, outputs } = await run("deploy", { inputs: { ...given, timeout_seconds: "5" } });

  expect(outputs.outcome).toBe("timed_out");
  expect(errors.join().includes("Re-run this job to continue watching the same revision.")).toBe(resumes);
});

test("an empty token is a warning if a record was asked for, and GitHub gets no request", async () => {
  const { github, run } = await startScenario(immediate);

  const recorded = await run("deploy", { inputs: { ...inputs, github_token: " " } });
  const unrecorded = await run("deploy", { inputs: { name: "agent", github_token: "" } });
  const dry = await run("deploy", { inputs: { ...inputs, github_token: "", dry_run: "true" } });

  expect(recorded.outputs.outcome).toBe("deployed");
  expect(recorded.warnings).toEqual([
    expect.stringMatching(/^github_token is empty: this run writes nothing to GitHub/),
  ]);
  expect(unrecorded.warnings).toEqual([]);
  expect(dry.warnings).toEqual([expect.stringMatching(/^github_token is empty: .*checks nothing there/)]);
  expect(github.requests).toEqual([]);
});

test.each<[string, Inputs, boolean]>([
  ["prod-eu", {}, true],
  ["Production", {}, true],
  ["preprod", {}, false],
  ["staging", { production_environment: "true" }, true],
  ["production", { production_environment: "false" }, false],
])("the environment %s with %j is recorded with production %s", async (environment, more, production) => {
  const { github, run } = await startScenario(immediate);

  await run("deploy", { inputs: { name: "agent", environment, wait: "false", ...more } });

  expect(github.deployments()).toMatchObject([{ environment, production }]);
});

test("the task of a deployment that is given by its id has the id", async () => {
  const { github, run } = await startScenario(immediate);
  const { outputs } = await run("deploy", { inputs: { name: "agent" } });
  const deployment_id = String(outputs.deployment_id);

  await run("deploy", { inputs: { deployment_id, environment: "staging" } });

  expect(github.deployments()).toMatchObject([
    { task: `deploy:${deployment_id}`, payload: { deployment_id, name: "agent" } },
  ]);
});

test("on pull_request the head is deployed and recorded, not the merge that GitHub tests", async () => {
  const { emulator, github, open, run } = await startScenario(immediate);
  open({ sha: sha("e") });
  const { event, env } = github.pullRequestRun(7, "synchronize");

  await run("deploy", { inputs, event, env: { ...env, GITHUB_HEAD_REF: "feature-7" } });

  expect(github.deployments()).toMatchObject([{ ref: sha("e"), sha: sha("e") }]);
  expect(emulator.deployments()).toMatchObject([{ source_revision_config: { repo_ref: "feature-7" } }]);
});

const unauthorized = answer("/revisions/", 401, { body: { detail: "no" }, times: "always" });

// `deploy/every-outcome.test.ts` has the record of each outcome.
test.each<[string, string, Inputs, FaultRule[]]>([
  ["failed", "failure", {}, [unauthorized]],
  ["started", "queued", { wait: "false" }, []],
])("the post step has nothing to do after the outcome %s, recorded as %s", async (outcome, ...row) => {
  const [recorded, more, faults] = row;
  const scenario = await startScenario({ ...immediate, faults });

  const { outputs, state } = await scenario.run("deploy", { inputs: { ...inputs, ...more } });

  expect(outputs.outcome).toBe(outcome);
  expect(recordStates(scenario)).toEqual([["in_progress", recorded]]);
  expect(state).toEqual({ record: "", unfinished: "", outcome });
});

describe("nothing is recorded", () => {
  test("if the run fails before there is a revision", async () => {
    const { emulator, github, run } = await startScenario(immediate);
    emulator.addFault(answer("POST", 422, { body: { detail: "no" } }));

    const { outputs } = await run("deploy", { inputs });

    expect(outputs.outcome).toBe("failed");
    expect(github.deployments()).toEqual([]);
  });

  test("in a dry run", async () => {
    const { github, run } = await startScenario(immediate);

    const { outputs } = await run("deploy", { inputs: { ...inputs, dry_run: "true" } });

    expect(outputs.outcome).toBe("planned");
    expect(github.deployments()).toEqual([]);
  });

  test("if GitHub refuses it twice, which is one warning", async () => {
    const { github, run } = await startScenario(immediate);
    github.fail(answer("POST /deployments$", 409, { body: { message: "Conflict" }, times: "always" }));

    const { outputs, warnings } = await run("deploy", { inputs });

    expect(outputs.outcome).toBe("deployed");
    expect(warnings).toEqual([expect.stringContaining("Conflict")]);
  });
});
