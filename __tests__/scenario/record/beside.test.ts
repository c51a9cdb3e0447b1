import { describe, expect, test } from "@jest/globals";
import { type Scenario, type ScenarioRun, type StartedRun, startScenario } from "../../support/scenario.ts";
import { gitHubGot } from "./support.ts";

const inputs = { request_timeout_seconds: "1", poll_interval_seconds: "1" };

/** The run, while GitHub leaves all such requests unanswered and half a minute passes. */
async function runInSilence(method: string, path: string, start: (scenario: Scenario) => StartedRun) {
  const scenario = await startScenario({ statusSeconds: 1, passesTimeInGitHub: true });
  scenario.github.fail({ kind: "hang", match: { method, path, times: "always" } });
  const run = start(scenario);
  await gitHubGot(scenario, method, new RegExp(path));
  await scenario.pass(30);
  return await run.ended;
}

/** The revision was seen as soon as it was live, and all times are those of the platform. */
function expectPrompt(run: ScenarioRun): void {
  expect(run.outputs).toMatchObject({ outcome: "deployed", duration_seconds: "6" });
  expect(run.infos).toContain("[6 s] DEPLOYED");
  expect(run.summary).toContain("| 6 s |");
}

describe("no poll is delayed if GitHub does not respond to", () => {
  test.each([
    ["the record", "POST", "/deployments$"],
    ["the status of the record", "POST", "/statuses$"],
  ])("%s", async (_what, method, path) => {
    const run = await runInSilence(method, path, ({ start }) =>
      start("deploy", { inputs: { name: "agent", environment: "staging", ...inputs } }),
    );

    expectPrompt(run);
    expect(run.warnings).toEqual([expect.stringContaining("deployments: write")]);
  });

  test.each([
    ["the comment", "POST", "/comments$"],
    ["the list of comments", "GET", "/comments$"],
    ["the state of the pull request", "GET", "/pulls/7$"],
  ])("%s of a preview", async (_what, method, path) => {
    const run = await runInSilence(method, path, ({ open, startPreview }) => {
      open();
      return startPreview("opened", { inputs });
    });

    expectPrompt(run);
    expect(run.warnings).toEqual([expect.stringContaining("pull-requests: write")]);
  });
});
