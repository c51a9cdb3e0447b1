import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { type RunOptions, runAction, startAction } from "../support/runner/run-action.ts";
import { defaultInputs, spelled, writes } from "../support/scenario.ts";

let emulator: Emulator;
let github: GitHubStandIn;

beforeEach(async () => {
  github = await startGitHub({ files: { "app/config.json": "{}" } });
});

afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
  await emulator.close();
});

async function options(
  inputs: Readonly<Record<string, string>> = {},
  emulatorOptions: EmulatorOptions = {},
): Promise<RunOptions> {
  emulator = await startEmulator({ statusSeconds: 0.05, ...emulatorOptions });
  return optionsFor(inputs);
}

function optionsFor(inputs: Readonly<Record<string, string>>): RunOptions {
  return {
    action: "deploy",
    env: github.env,
    inputs: {
      control_plane_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      poll_interval_seconds: "0.1",
      ...defaultInputs,
      ...inputs,
    },
  };
}

const limit = 30_000;

test(
  "creates a deployment, and updates it",
  async () => {
    const created = await runAction(await options({ secrets: "TOKEN=value-of-token" }));
    expect(created.stderr).toBe("");
    expect(created).toMatchObject({ exitCode: 0, signal: null, conclusion: "success" });
    const [held] = emulator.deployments();
    expect(created.outputs).toMatchObject({
      deployment_id: held?.id,
      revision_id: held?.latest_revision_id,
      status: "DEPLOYED",
      outcome: "deployed",
      created: "true",
      deployment_url: held?.url,
      duration_seconds: expect.stringMatching(/^\d+$/),
    });
    expect(created.jobOutputs).toEqual(created.outputs);
    expect(created.log.annotations).toEqual([]);
    expect(created.log.masks).toEqual(expect.arrayContaining([emulator.apiKey, "value-of-token"]));
    expect(created.log.commands.map(({ name }) => name).filter((name) => name !== "add-mask")).toEqual([]);
    expect(created.log.lines.join("\n")).toMatch(/\[0 s\] [A-Z_]+\n[\s\S]*DEPLOYED[\s\S]*is live at/);
    expect(created.summary).toContain("## ✅ Deployment `agent`: deployed");

    const updated = await runAction(optionsFor({ integration_id: "", app_config_path: "" }));
    expect(updated).toMatchObject({ exitCode: 0, conclusion: "success" });
    expect(updated.outputs).toMatchObject({ outcome: "deployed", created: "false", deployment_id: held?.id });
    expect(updated.outputs.revision_id).not.toBe(created.outputs.revision_id);
    expect(spelled(writes(emulator.requests))).toEqual([
      "POST /v2/deployments 201",
      `PATCH /v2/deployments/${held?.id} 200`,
    ]);
  },
  limit,
);

test(
  "fails with one annotation when the build does",
  async () => {
    const run = await runAction(await options({}, { failRefs: { main: "BUILD_FAILED" } }));
    expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED", created: "true" });
    expect(run.log.annotations).toEqual([
      { level: "error", kept: true, message: expect.stringContaining("failed with status BUILD_FAILED") },
    ]);
    expect(run.summary).toContain("**What to do next:**");
  },
  limit,
);

test(
  "times out",
  async () => {
    const run = await runAction(await options({ timeout_seconds: "0.5" }, { failRefs: { main: "QUEUED" } }));
    expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
    expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "QUEUED" });
    expect(run.outputs.revision_id).toBe(emulator.deployments()[0]?.latest_revision_id);
    expect(run.log.annotations).toMatchObject([
      { level: "error", message: expect.stringContaining("timeout_seconds") },
    ]);
  },
  limit,
);

describe("cancelled by SIGINT it ends by itself, however the control plane hangs", () => {
  test(
    "while it watches",
    async () => {
      const started = await startAction(await options({}, { failRefs: { main: "QUEUED" } }));
      await started.waitForLog("QUEUED");
      emulator.misbehave({ kind: "hang", match: { times: "always" } });
      await started.cancel();
      const run = await started.result;
      expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
      expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "QUEUED" });
      expect(run.outputs.revision_id).toBe(emulator.deployments()[0]?.latest_revision_id);
      expect(run.log.annotations).toMatchObject([
        { level: "error", message: expect.stringContaining("The run was cancelled (SIGINT). Revision ") },
      ]);
      expect(run.summary).toContain("goes on on the platform");
    },
    limit,
  );

  test(
    "while it creates",
    async () => {
      const prepared = await options();
      emulator.misbehave({ kind: "hang", match: { method: "POST", times: "always" }, applied: true });
      const started = await startAction(prepared);
      while (emulator.deployments().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await started.cancel();
      const run = await started.result;
      expect(run).toMatchObject({ exitCode: 1, signal: null });
      expect(run.outputs).toMatchObject({ outcome: "cancelled" });
      expect(run.log.annotations).toMatchObject([
        {
          message: expect.stringContaining("(SIGINT). A revision of deployment agent may have been started"),
        },
      ]);
      expect(writes(emulator.requests)).toHaveLength(1);
    },
    limit,
  );
});

test(
  "a cut answer doesn't end the process as a success",
  async () => {
    const prepared = await options({ timeout_seconds: "0.5" });
    emulator.misbehave({ kind: "cut", match: { times: "always" } });
    const run = await runAction(prepared);
    expect(run).toMatchObject({ exitCode: 1, conclusion: "failure" });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.log.annotations).toMatchObject([
      { level: "error", message: expect.stringContaining("control_plane_url") },
    ]);
  },
  limit,
);

test(
  "tells all that is wrong with the inputs, nine as annotations and the rest in the log, before any request",
  async () => {
    const wrong = {
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
    const run = await runAction(await options(wrong));
    expect(run).toMatchObject({ exitCode: 1, conclusion: "failure" });
    expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "0" });
    expect(run.log.annotations).toHaveLength(9);
    expect(run.log.annotations.every(({ level, kept }) => level === "error" && kept)).toBe(true);
    const log = run.log.lines.join("\n");
    for (const input of Object.keys(wrong)) expect(log).toContain(`Input ${input} `);
    expect(run.stdout.replaceAll(/^::add-mask::.*$/gm, "") + run.summary).not.toContain("not-to-be-seen");
    expect(emulator.requests).toEqual([]);
    expect(github.requests).toEqual([]);
  },
  limit,
);

test(
  "what the platform says stays text, and secrets in it are masked",
  async () => {
    const prepared = await options({ secrets: "TOKEN=value-of-token" });
    emulator.misbehave({
      kind: "answer",
      match: { method: "POST" },
      status: 400,
      body: {
        detail: "bad value-of-token\n::set-output name=outcome::deployed\r##[set-env name=A]b\u001b[2K",
      },
    });
    const run = await runAction(prepared);
    expect(run.outputs.outcome).toBe("failed");
    expect(run.log.commands.filter(({ name }) => name !== "add-mask").map(({ name }) => name)).toEqual([
      "error",
    ]);
    expect(run.log.refused).toEqual([]);
    expect(run.log.lines.join("\n")).not.toContain("value-of-token");
    expect(run.log.annotations[0]?.message).toContain("bad ***");
  },
  limit,
);

test(
  "a dry run shows the request in a group, as it would be sent",
  async () => {
    const run = await runAction(await options({ dry_run: "true" }));
    expect(run).toMatchObject({ exitCode: 0, outputs: { outcome: "planned" } });
    expect(run.log.groups).toEqual([
      { title: "What would be sent to create deployment agent", closed: true },
    ]);
    expect(run.log.lines).toContain('    "deployment_type": "dev",');
    expect(writes(emulator.requests)).toEqual([]);
  },
  limit,
);
