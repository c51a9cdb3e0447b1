import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/index.ts";
import { type ActionRun, runAction } from "../support/runner/run-action.ts";
import { defaultInputs, type Inputs, langsmith, requestLines, writes } from "../support/scenario.ts";
import { type Servers, serverTest } from "./support/servers.ts";

interface BundleScenario extends Servers {
  readonly deploy: (inputs?: Inputs, env?: Inputs) => Promise<ActionRun>;
}

/** A test of the root action. */
function scenario(
  title: string,
  emulator: EmulatorOptions,
  play: (scenario: BundleScenario) => Promise<void>,
): void {
  serverTest(title, { emulator: { statusSeconds: 0.05, ...emulator } }, async (servers) => {
    const deploy = (inputs: Inputs = {}, env: Inputs = {}) =>
      runAction({
        action: "deploy",
        env: { ...servers.github.env, ...env },
        inputs: { ...servers.access, ...defaultInputs, poll_interval_seconds: "0.1", ...inputs },
      });
    await play({ ...servers, deploy });
  });
}

/** The names of all workflow commands except for masks. */
function commandsOf({ log }: ActionRun): string[] {
  return log.commands.map(({ name }) => name).filter((name) => name !== "add-mask");
}

scenario("deploy creates a deployment, and then updates it", {}, async ({ deploy, emulator }) => {
  const created = await deploy({ secrets: "TOKEN=value-of-token" });
  const [stored] = emulator.deployments();
  const updated = await deploy({ integration_id: "", app_config_path: "" });

  expect(created).toMatchObject({ exitCode: 0, signal: null, conclusion: "success", stderr: "" });
  expect(created.outputs).toMatchObject({
    deployment_id: stored?.id,
    revision_id: stored?.latest_revision_id,
    status: "DEPLOYED",
    outcome: "deployed",
    created: "true",
    deployment_url: stored?.url,
    duration_seconds: expect.stringMatching(/^\d+$/),
  });
  expect(created.jobOutputs).toEqual(created.outputs);
  expect(created.log.masks).toEqual(expect.arrayContaining([emulator.apiKey, "value-of-token"]));
  expect(commandsOf(created)).toEqual([]);
  expect(created.log.lines.join("\n")).toMatch(/\[\d+ s\] DEPLOYED\n[\s\S]*is live at/);
  expect(created.summary).toContain("## ✅ Deployment `agent`: deployed");
  expect(updated).toMatchObject({ exitCode: 0, conclusion: "success" });
  expect(updated.outputs).toMatchObject({ outcome: "deployed", created: "false", deployment_id: stored?.id });
  expect(updated.outputs.revision_id).not.toBe(created.outputs.revision_id);
  expect(requestLines(writes(emulator.requests))).toEqual([
    "POST /v2/deployments 201",
    `PATCH /v2/deployments/${stored?.id} 200`,
  ]);
});

const failingBuild = { failRefs: { main: "BUILD_FAILED" } };

scenario("deploy fails with one annotation if the build fails", failingBuild, async ({ deploy }) => {
  const run = await deploy();

  expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED", created: "true" });
  expect(run.log.annotations).toEqual([
    {
      level: "error",
      kept: true,
      title: "Deploy agent: build failed",
      message: expect.stringContaining("BUILD_FAILED"),
    },
  ]);
  expect(run.summary).toContain("**What to do next:**");
});

const smoke_tests = `
- name: greets
  graph: agent
  input: { messages: [{ role: user, content: hello }] }
  expect: { contains: hello, matches: You said, json: { /messages/1/type: ai } }
- name: has one assistant
  request: POST /assistants/search
  body: {}
  expect: { json: { /0/graph_id: agent }, status: 200, max_seconds: 5 }
`;
const langsmithAgent: Inputs = {
  ...langsmith,
  app_config_path: "app/config.json",
  agent_headers: "X-Api-Key: key-of-the-agent",
  smoke_tests,
};
const keyedAgent: EmulatorOptions = { platform: "langsmith", agentKey: "key-of-the-agent" };

scenario("deploy checks the agent, and its smoke tests are an output", keyedAgent, async ({ deploy }) => {
  const run = await deploy({ ...langsmithAgent, health_check_path: "/ok", serving_check: "require" });

  expect(run).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
  expect(JSON.parse(run.jobOutputs.smoke_tests ?? "")).toMatchObject([
    { name: "greets", passed: true, seconds: expect.any(Number) },
    { name: "has one assistant", passed: true },
  ]);
  expect(run.log.masks).toContain("key-of-the-agent");
  for (const check of ["health check `/ok`", "serving check `/info`", "smoke test `greets`"]) {
    expect(run.summary).toContain(`| ✅ | ${check} |`);
  }
});

scenario("a broken file of the event is a warning of the record", {}, async ({ deploy }) => {
  const folder = mkdtempSync(join(tmpdir(), "event-"));
  const event = join(folder, "event.json");
  writeFileSync(event, '{"a": tru');

  const run = await deploy({ environment: "staging" }, { GITHUB_EVENT_PATH: event });

  rmSync(folder, { recursive: true });
  expect(run).toMatchObject({ exitCode: 0, stderr: "", outputs: { outcome: "deployed" } });
  expect(run.log.annotations).toMatchObject([
    { level: "warning", message: expect.stringMatching(/on GitHub: .*GITHUB_EVENT_PATH is broken/) },
  ]);
});

scenario("responses that break off do not end the process as a success", {}, async ({ deploy, emulator }) => {
  emulator.addFault({ kind: "cut", match: { times: "always" } });

  const run = await deploy({ timeout_seconds: "0.5" });

  expect(run).toMatchObject({ exitCode: 1, conclusion: "failure", outputs: { outcome: "failed" } });
  expect(run.log.annotations).toMatchObject([
    { level: "error", message: expect.stringContaining("control_plane_url") },
  ]);
});

scenario("every invalid input is reported, before any request", {}, async ({ deploy, emulator, github }) => {
  const invalid = {
    control_plane_url: "http://agents.example.com",
    api_key: "",
    workspace_id: "a b",
    name: "",
    build_on_push: "yes",
    resource_spec: "[]",
    wait: "1",
    timeout_seconds: "0",
    poll_interval_seconds: "x",
    request_timeout_seconds: "x",
    dry_run: "x",
    allow_http: "x",
    production_environment: "x",
    secrets: "not-to-be-seen\nTOKEN=also-not-to-be-seen",
  };

  const run = await deploy(invalid);

  expect(run).toMatchObject({ exitCode: 1, conclusion: "failure" });
  expect(run.outputs).toEqual({
    outcome: "failed",
    message: expect.any(String),
    created: "false",
    duration_seconds: "0",
  });
  expect(run.log.annotations).toEqual(
    Array(9).fill({
      level: "error",
      kept: true,
      title: expect.stringMatching(/^Input \w+$/),
      message: expect.any(String),
    }),
  );
  const log = run.log.lines.join("\n");
  for (const input of Object.keys(invalid)) expect(log).toMatch(new RegExp(`[Ii]nput ${input} `));
  expect(run.stdout.replaceAll(/^::add-mask::.*$/gm, "") + run.summary).not.toContain("not-to-be-seen");
  expect(emulator.requests).toEqual([]);
  expect(github.requests).toEqual([]);
});
