import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { RuleInput } from "../../emulator/misbehave/rules.ts";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { type ActionRun, startAction } from "../support/runner/run-action.ts";
import { defaultInputs, spelled, writes } from "../support/scenario.ts";

let emulator: Emulator;
let github: GitHubStandIn;

beforeEach(async () => {
  emulator = await startEmulator({ statusSeconds: 0.05, failRefs: { main: "QUEUED" } });
  github = await startGitHub({ files: { "app/config.json": "{}" } });
});

afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
  await emulator.close();
});

const limit = 30_000;

/** A run with `on_cancel: interrupt` that the runner cancels while its revision waits in the queue. */
async function cancelledRun(rule: RuleInput): Promise<ActionRun> {
  const started = await startAction({
    action: "deploy",
    env: github.env,
    inputs: {
      control_plane_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      poll_interval_seconds: "0.1",
      on_cancel: "interrupt",
      ...defaultInputs,
    },
  });
  await started.waitForLog("QUEUED");
  emulator.misbehave(rule);
  // SIGTERM and SIGKILL follow SIGINT as they do on a runner: who is too slow is killed.
  await started.cancel();
  return await started.result;
}

function lastWrites(): string[] {
  return spelled(writes(emulator.requests)).map((line) => line.replace(/\/\S*\//, ""));
}

test(
  "a cancelled step has the revision stopped, and then tells all",
  async () => {
    const run = await cancelledRun({ kind: "answer", match: { path: "/interrupt$" }, status: 200, body: {} });
    expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
    expect(lastWrites()).toEqual(["POST deployments 201", "POST interrupt 200"]);
    expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "QUEUED" });
    expect(run.outputs.revision_id).toBe(emulator.deployments()[0]?.latest_revision_id);
    expect(run.log.annotations).toMatchObject([
      { level: "error", message: expect.stringContaining("was interrupted, as on_cancel asks for.") },
    ]);
    expect(run.summary).toContain("was interrupted");
  },
  limit,
);

test(
  "it ends by itself, and tells all, where the control plane hangs",
  async () => {
    const run = await cancelledRun({ kind: "hang", match: { times: "always" } });
    expect(run).toMatchObject({ exitCode: 1, signal: null, conclusion: "failure" });
    expect(lastWrites()).toEqual(["POST deployments 201", "POST interrupt -"]);
    expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "QUEUED" });
    expect(run.log.annotations).toMatchObject([
      { level: "error", message: expect.stringContaining("may go on on the platform") },
    ]);
    expect(run.summary).toContain("may go on on the platform");
  },
  limit,
);
