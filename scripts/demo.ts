// `npm run demo`: shows the bundled action at work, on the emulator or on a control plane of your own.
import { rmSync } from "node:fs";
import { relative } from "node:path";
import type { ActionRun } from "../__tests__/support/runner/run-action.ts";
import { type ControlPlane, failingRef, startEmulator } from "./demo/control-plane.ts";
import { play, summaries } from "./demo/step.ts";
import { type Target, targetFrom } from "./demo/target.ts";

/** A value to see masked in the log. Nothing reads it. */
const demoSecret = "the-demo-keeps-this-to-itself";

async function main(): Promise<void> {
  const own = targetFrom(process.env);
  rmSync(summaries, { recursive: true, force: true });
  if (own === null) {
    const emulator = await startEmulator();
    await showOnEmulator(emulator).finally(emulator.close);
  } else {
    await showOn(own);
  }
  console.log(`\nAll as expected. The job summaries are in ${relative(process.cwd(), summaries) || "."}/`);
}

async function showOnEmulator({ target }: ControlPlane): Promise<void> {
  const name = "demo-agent";
  await update(target, name, "release", await create(target, name));
  const failed = await play(deployStep("3 A build that fails", target, { name, repo_ref: failingRef }));
  expectThat(failed, { conclusion: "failure", outcome: "failed", status: "BUILD_FAILED" });
}

async function showOn(target: Target): Promise<void> {
  // Ctrl-C ends the step that runs, as cancelling a workflow does. The demo goes on to delete what it made.
  process.on("SIGINT", () => console.log("\nInterrupted. Deleting what was made before ending."));
  const name = `demo-${Date.now().toString(36)}`;
  let made: Readonly<Record<string, string>> = { name };
  const shown = await attempt(async () => {
    const created = await create(target, name, (deployment_id) => {
      made = { deployment_id };
    });
    await update(target, name, target.repoRef, created);
  });
  const deleted = await attempt(() => remove(target, made));
  const problems = [...shown, ...deleted];
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** What went wrong, so that more can be done before it is told. */
async function attempt(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** @param onMade called with the deployment's id as soon as there is one, also if the step fails afterwards */
async function create(target: Target, name: string, onMade?: (id: string) => void): Promise<ActionRun> {
  const run = await play(
    deployStep("1 Create", target, {
      name,
      integration_id: target.integrationId,
      repo_ref: target.repoRef,
      app_config_path: target.appConfigPath,
      secrets: `DEMO_SECRET=${demoSecret}`,
    }),
  );
  if (run.outputs.deployment_id) onMade?.(run.outputs.deployment_id);
  expectThat(run, { conclusion: "success", outcome: "deployed", created: "true" });
  return run;
}

async function update(target: Target, name: string, ref: string, created: ActionRun): Promise<void> {
  const run = await play(deployStep("2 Update", target, { name, repo_ref: ref }));
  expectThat(run, {
    conclusion: "success",
    outcome: "deployed",
    created: "false",
    deployment_id: created.outputs.deployment_id,
  });
}

async function remove(target: Target, made: Readonly<Record<string, string>>): Promise<void> {
  const inputs = { ...credentials(target), ...made };
  const run = await play({ title: "3 Delete", action: "delete", inputs, secrets: [target.apiKey] });
  expectThat(run, { conclusion: "success", outcome: "deleted" });
}

function deployStep(title: string, target: Target, inputs: Readonly<Record<string, string>>) {
  return {
    title,
    action: "deploy" as const,
    inputs: { ...credentials(target), repo_url: target.repoUrl, ...inputs, poll_interval_seconds: "1" },
    secrets: [target.apiKey, demoSecret],
  };
}

function credentials(target: Target): Record<string, string> {
  return {
    control_plane_url: target.controlPlaneUrl,
    api_key: target.apiKey,
    workspace_id: target.workspaceId,
  };
}

/** Throws unless the step ended as it should, and says in what it did not. */
function expectThat(run: ActionRun, expected: Readonly<Record<string, string | undefined>>): void {
  const actual: Readonly<Record<string, string>> = { ...run.outputs, conclusion: run.conclusion };
  const wrong = Object.entries(expected).filter(([name, value]) => actual[name] !== value);
  if (wrong.length === 0) return;
  const told = wrong.map(([name, value]) => `${name} should be ${value}, but is ${actual[name]}`);
  throw new Error(`not as expected: ${told.join("; ")}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

try {
  await main();
} catch (error) {
  console.error(`\n${messageOf(error)}`);
  process.exitCode = 1;
}
