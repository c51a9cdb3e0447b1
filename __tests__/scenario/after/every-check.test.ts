// What holds for each check that asks the agent.
import { expect, test } from "@jest/globals";
import { expectError, type Inputs, type StartedRun, startScenario, writes } from "../../support/scenario.ts";
import { startAgent, startAgentWith } from "./support.ts";

const health: Inputs = { serving_check: "off", health_check_path: "/ok" };
const serving: Inputs = { serving_check: "require", health_check_timeout_seconds: "5" };
const smoke: Inputs = {
  serving_check: "off",
  smoke_tests: "- { name: first, request: GET /a }\n- { name: second, request: GET /b }",
};
const all: Inputs = { ...smoke, ...health, ...serving };

test.each<[string, Inputs, Inputs, string]>([
  ["that is not asked for", { serving_check: "off", health_check_timeout_seconds: "5" }, {}, "deployed"],
  ["after a revision that failed", all, { repo_ref: "broken" }, "failed"],
  ["after a superseded revision", all, { repo_ref: "skipped" }, "superseded"],
  ["in a dry run", all, { dry_run: "true" }, "planned"],
  ["with wait: false", {}, { wait: "false" }, "started"],
])("the agent gets no request of a check %s", async (_when, checks, inputs, outcome) => {
  const agent = await startAgentWith(200);
  const { deploy } = await startScenario({ failRefs: { broken: "BUILD_FAILED", skipped: "SKIPPED" } });

  const run = await deploy({ custom_url: agent.url, ...checks, ...inputs });

  expect(run.outputs.outcome).toBe(outcome);
  expect(run.outputs).not.toHaveProperty("smoke_tests");
  expect(agent.requests).toEqual([]);
});

const oneSmokeTest: Inputs = { serving_check: "off", smoke_tests: "- { name: one, request: GET /a }" };

test.each([
  ["health check", health],
  ["serving check", serving],
  ["smoke test", oneSmokeTest],
])("a %s without a URL, or with a plain http: one of another host, fails at once", async (check, inputs) => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });

  const plain = await deploy({ custom_url: "http://agents.invalid", ...inputs });
  emulator.addFault({ kind: "hide", fields: ["url", "custom_url"] });
  const without = await deploy(inputs);

  expectError(plain, check, "allow_http");
  expectError(without, check, "custom_url");
  for (const run of [plain, without]) {
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.took).toBeLessThan(2);
  }
});

test.each<[string, string, Inputs, string | undefined]>([
  ["health check", "during its request", health, "/ok"],
  ["health check", "between two requests", health, undefined],
  ["serving check", "during its request", serving, "/info"],
  ["serving check", "between two requests", { serving_check: "require" }, undefined],
  ['smoke test "first"', "during its request", smoke, "/a"],
  ['smoke test "second"', "during its request", smoke, "/b"],
])("a cancellation ends the %s at once, and is reported (%s)", async (_check, _when, inputs, path) => {
  const running: StartedRun[] = [];
  const agent = await startAgent(({ url }, response) => {
    if (url === path) running[0]?.cancel();
    else response.writeHead(path === undefined ? 503 : 200).end("{}");
  });
  const { clock, startDeploy, stored } = await startScenario({ statusSeconds: 0 });

  const started = startDeploy({ custom_url: agent.url, ...inputs });
  running.push(started);
  if (path === undefined) clock.at(5_000, started.cancel);
  const run = await started.ended;

  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.took).toBe(path === undefined ? 5 : 0);
  if (path !== undefined) expect(agent.requests.at(-1)?.url).toBe(path);
  expect(JSON.parse(run.outputs.smoke_tests ?? "[]")).toHaveLength(path === "/b" ? 1 : 0);
  expectError(run, stored().latest_revision_id, "DEPLOYED");
  expect(writes(run.requests)).toHaveLength(1);
});

test.each<[string, Inputs]>([
  ["health check", { ...health, health_check_timeout_seconds: "1" }],
  ["serving check", { ...serving, health_check_timeout_seconds: "1" }],
])("smoke tests after a failed %s are skipped, and are shown so", async (name, checks) => {
  const agent = await startAgentWith(500);
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({ custom_url: agent.url, ...smoke, ...checks });

  expectError(run, name);
  expect(run.outputs).not.toHaveProperty("smoke_tests");
  expect(agent.requests.filter(({ url }) => url === "/a" || url === "/b")).toEqual([]);
  for (const test of ["first", "second"]) {
    expect(run.summary).toContain(`| ⏭️ | smoke test \`${test}\`: skipped (an earlier check failed) | |`);
  }
});
