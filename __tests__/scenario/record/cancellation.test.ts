import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { endInSilence, useFakeTimeouts } from "../../support/github/silence.ts";
import {
  cancelOnce,
  immediate,
  postEnvironment,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { commentOf7, gitHubGot, recordStates } from "./support.ts";

function expectCancelled(run: ScenarioRun): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toEqual([expect.stringContaining("SIGINT")]);
  expect(run.summary).toContain("cancelled");
}

test("a preview that is cancelled while it waits gets its end in record and comment", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();

  const run = await cancelOnce(scenario.startPreview("opened"), scenario.pass(15));

  expectCancelled(run);
  expect(recordStates(scenario)).toEqual([["in_progress", "error"]]);
  expect(scenario.github.deployments()[0]?.statuses[0]?.description).toMatch(/^cancelled/);
  expect(scenario.github.comments(7)).toHaveLength(1);
  expect(commentOf7(scenario)).toMatch(/^### 🚫 Preview .*: cancelled/m);

  const post = await scenario.run("preview", { phase: "post", env: { ...postEnvironment(run) } });
  expect(post.github.filter(({ method, path }) => method !== "GET" && path !== "/graphql")).toEqual([]);
});

test("a preview that is cancelled before there is a revision is not recorded", async () => {
  const { emulator, github, open, requested, startPreview } = await startScenario({ statusSeconds: 5 });
  open();
  emulator.addFault({ kind: "hang", match: { path: "^/v2/deployments$" } });

  expectCancelled(await cancelOnce(startPreview("opened"), requested("GET")));

  expect(github.deployments()).toEqual([]);
});

test("a record that is being made at the cancellation gets its end too", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();

  const started = scenario.startPreview("opened");
  expectCancelled(await cancelOnce(started, gitHubGot(scenario, "POST", /\/deployments$/)));

  expect(recordStates(scenario)[0]?.at(-1)).toBe("error");
});

test("a rate limit is not waited for after a cancellation", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();
  scenario.github.fail(answer("POST /deployments$", 403, { headers: { "retry-after": "50" } }));

  const started = scenario.startPreview("opened");
  const run = await cancelOnce(started, gitHubGot(scenario, "POST", /\/deployments$/));

  expectCancelled(run);
  expect(run.took).toBeLessThan(10);
});

test("the deletion of a preview can be cancelled", async () => {
  const { emulator, open, preview, requested, shut, startPreview } = await startScenario(immediate);
  open();
  await preview("opened");
  shut();
  emulator.addFault({ kind: "hang", match: { method: "DELETE" } });

  expectCancelled(await cancelOnce(startPreview("closed"), requested("DELETE")));
});

describe("while GitHub does not respond", () => {
  useFakeTimeouts();

  test.each([
    ["the preflight", "GET", /contents/],
    ["the question for the login", "POST", /graphql/],
    ["the record", "POST", /\/deployments$/],
    ["the first status", "POST", /\/statuses$/],
    ["the comment", "POST", /\/comments$/],
    ["the check of the pull request", "GET", /\/pulls\//],
  ])("to %s, a cancelled run is over soon, after few more requests", async (_what, method, path) => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { github, open, startPreview } = scenario;
    open();
    github.fail({ kind: "hang", match: { method, path: path.source } });

    const { cancel, ended } = startPreview("opened");
    await gitHubGot(scenario, method, path);
    const before = github.requests.length;
    cancel();

    expectCancelled(await endInSilence(github, ended));
    expect(github.requests.length - before).toBeLessThanOrEqual(3);
  });

  /** A preview run whose comment says that it is in progress. */
  async function startInProgress() {
    const scenario = await startScenario({ statusSeconds: 5 });
    scenario.open();
    const started = scenario.startPreview("opened");
    await scenario.until(() => commentOf7(scenario).includes("⏳"));
    return { scenario, started };
  }

  function cleanUp(scenario: Scenario, run: ScenarioRun): Promise<ScenarioRun> {
    const env = { GITHUB_RUN_ID: "1001", ...postEnvironment(run) };
    return scenario.run("preview", { phase: "post", env });
  }

  test("the post step writes the end that GitHub did not take after the cancellation", async () => {
    const { scenario, started } = await startInProgress();

    started.cancel();
    const run = await endInSilence(scenario.github, started.ended);
    expectCancelled(run);
    expect(recordStates(scenario)).toEqual([["in_progress"]]);

    await cleanUp(scenario, run);
    expect(recordStates(scenario)).toEqual([["in_progress", "error"]]);
    const description = scenario.github.deployments()[0]?.statuses[0]?.description;
    expect(description).toMatch(/^The step ended as cancelled/);
    expect(commentOf7(scenario)).toMatch(/^### 🚫 Preview .*: cancelled/m);
  });

  test("the post step shows the outcome of a step that was cancelled after it", async () => {
    const { scenario, started } = await startInProgress();
    const heal = scenario.github.fail({ kind: "hang", match: { method: "POST", path: "/statuses$" } });

    await scenario.until(() => started.context.recorded.outputs.outcome === "deployed");
    started.cancel();
    const run = await endInSilence(scenario.github, started.ended);
    heal();
    await cleanUp(scenario, run);

    expect(run.succeeded).toBe(true);
    expect(recordStates(scenario)).toEqual([["in_progress", "success"]]);
    const description = scenario.github.deployments()[0]?.statuses[0]?.description;
    expect(description).toMatch(/^The step ended as deployed/);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed$/m);
  });

  test("a GitHub that never responds does not keep a preview from being deployed, and gets few requests", async () => {
    const { github, open, preview } = await startScenario(immediate);
    open();

    const run = await endInSilence(github, preview("opened"));

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([
      expect.stringMatching(/within 10 s.*"deployments: write"/),
      expect.stringMatching(/within 10 s.*"pull-requests: write"/),
      expect.stringMatching(/no response in time.*"deployments: write"/),
      expect.stringMatching(/no response in time.*"pull-requests: write"/),
    ]);
    expect(run.github.length).toBeLessThanOrEqual(20);
  });
});
