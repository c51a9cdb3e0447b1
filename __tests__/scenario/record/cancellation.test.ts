import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { endInSilence, useFakeTimeouts } from "../../support/github/silence.ts";
import {
  immediate,
  postEnvironment,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { commentOf7, recordStates } from "./support.ts";

function expectCancelled(run: ScenarioRun): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toEqual([expect.stringContaining("SIGINT")]);
  expect(run.summary).toContain("cancelled");
}

/** Cancels the preview of pull request 7 as soon as GitHub got such a request. */
async function cancelDuring(scenario: Scenario, method: string, path: RegExp): Promise<ScenarioRun> {
  const { github, startPreview, until } = scenario;
  const { cancel, ended } = startPreview("opened");
  await until(() => github.requests.some((request) => request.method === method && path.test(request.path)));
  cancel();
  return await ended;
}

test("a preview that is cancelled while it waits gets its end in record and comment", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();

  const { cancel, ended } = scenario.startPreview("opened");
  scenario.clock.at(15_000, cancel);
  const run = await ended;

  expectCancelled(run);
  expect(recordStates(scenario)).toEqual([["in_progress", "error"]]);
  expect(scenario.github.deployments()[0]?.statuses[0]?.description).toMatch(/^cancelled/);
  expect(scenario.github.comments(7)).toHaveLength(1);
  expect(commentOf7(scenario)).toMatch(/^### 🚫 Preview .*: cancelled/m);

  const post = await scenario.run("preview", { phase: "post", env: { ...postEnvironment(run) } });
  expect(post.github.filter(({ method, path }) => method !== "GET" && path !== "/graphql")).toEqual([]);
});

test("a preview that is cancelled before there is a revision is not recorded", async () => {
  const { emulator, github, open, startPreview, until } = await startScenario({ statusSeconds: 5 });
  open();
  emulator.addFault({ kind: "hang", match: { path: "^/v2/deployments$" } });

  const { cancel, ended } = startPreview("opened");
  await until(() => emulator.requests.length === 1);
  cancel();

  expectCancelled(await ended);
  expect(github.deployments()).toEqual([]);
});

test("a record that is being made at the cancellation gets its end too", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();

  expectCancelled(await cancelDuring(scenario, "POST", /\/deployments$/));

  expect(recordStates(scenario)[0]?.at(-1)).toBe("error");
});

test("a rate limit is not waited for after a cancellation", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  scenario.open();
  scenario.github.fail(answer("POST /deployments$", 403, { headers: { "retry-after": "50" } }));

  const run = await cancelDuring(scenario, "POST", /\/deployments$/);

  expectCancelled(run);
  expect(run.took).toBeLessThan(10);
});

test("the deletion of a preview can be cancelled", async () => {
  const { emulator, open, preview, shut, startPreview, until } = await startScenario(immediate);
  open();
  await preview("opened");
  shut();
  emulator.addFault({ kind: "hang", match: { method: "DELETE" } });

  const { cancel, ended } = startPreview("closed");
  await until(() => emulator.requests.some(({ method }) => method === "DELETE"));
  cancel();

  expectCancelled(await ended);
});

describe("while GitHub does not respond", () => {
  useFakeTimeouts();

  describe("after a cancellation GitHub gets few more requests if it does not respond to", () => {
    test.each([
      ["the preflight", "GET", /contents/],
      ["the question for the login", "POST", /graphql/],
      ["the record", "POST", /\/deployments$/],
      ["the first status", "POST", /\/statuses$/],
      ["the comment", "POST", /\/comments$/],
      ["the check of the pull request", "GET", /\/pulls\//],
    ])("a cancelled run is over soon if GitHub does not respond to %s", async (_what, method, path) => {
      const scenario = await startScenario({ statusSeconds: 5 });
      scenario.open();
      const { github, startPreview, until } = scenario;
      const isSent = () => github.requests.some((one) => one.method === method && path.test(one.path));
      github.fail({ kind: "hang", match: { method, path: path.source } });

      const { cancel, ended } = startPreview("opened");
      await until(isSent);
      const before = github.requests.length;
      cancel();

      expectCancelled(await endInSilence(github, ended));
      expect(github.requests.length - before).toBeLessThanOrEqual(3);
    });
  });

  test("the post step writes the end that GitHub did not take after the cancellation", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    scenario.open();
    const started = scenario.startPreview("opened");
    await scenario.until(() => commentOf7(scenario).includes("⏳"));

    started.cancel();
    const run = await endInSilence(scenario.github, started.ended);
    expectCancelled(run);
    expect(recordStates(scenario)).toEqual([["in_progress"]]);

    await scenario.run("preview", { phase: "post", env: { GITHUB_RUN_ID: "1001", ...postEnvironment(run) } });
    expect(recordStates(scenario)).toEqual([["in_progress", "error"]]);
    expect(scenario.github.deployments()[0]?.statuses[0]?.description).toMatch(
      /^The step ended as cancelled/,
    );
    expect(commentOf7(scenario)).toMatch(/^### 🚫 Preview .*: cancelled/m);
  });

  test("the post step shows the outcome of a step that was cancelled after it", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { github, open, startPreview, until } = scenario;
    open();
    const { cancel, context, ended } = startPreview("opened");
    await until(() => commentOf7(scenario).includes("⏳"));
    const heal = github.fail({ kind: "hang", match: { method: "POST", path: "/statuses$" } });

    await until(() => context.recorded.outputs.outcome === "deployed");
    cancel();
    const run = await endInSilence(github, ended);
    heal();
    await scenario.run("preview", { phase: "post", env: { GITHUB_RUN_ID: "1001", ...postEnvironment(run) } });

    expect(run.succeeded).toBe(true);
    expect(recordStates(scenario)).toEqual([["in_progress", "success"]]);
    expect(github.deployments()[0]?.statuses[0]?.description).toMatch(/^The step ended as deployed/);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed$/m);
  });

  test("a GitHub that never responds does not keep a preview from being deployed, and gets few requests", async () => {
    const { github, open, preview } = await startScenario(immediate);
    open();

    const run = await endInSilence(github, preview("opened"));

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([
      expect.stringContaining('"deployments: write"'),
      expect.stringMatching(/request_timeout_seconds.*"pull-requests: write"/),
      expect.stringMatching(/no response in time.*"pull-requests: write"/),
    ]);
    expect(run.github.length).toBeLessThanOrEqual(10);
  });
});
