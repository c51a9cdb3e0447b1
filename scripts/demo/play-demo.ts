import type { ActionRun } from "../../__tests__/support/runner/run-action.ts";
import { messageOf } from "../support/run.ts";
import { failingRef, startEmulator } from "./control-plane.ts";
import { playStep } from "./step.ts";
import { type Target, targetFrom } from "./target.ts";

export interface DemoOptions {
  /** May name a control plane; without one, the demo starts the emulator. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the job summaries go. */
  readonly folder: string;
  /** How long a status lasts on the emulator, and how often it is polled. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

interface Demo extends DemoOptions {
  readonly target: Target;
}

/** A value to see masked in the log. Nothing reads it. */
const demoSecret = "the-demo-keeps-this-to-itself";

/** Creates a deployment, updates it, and shows a failed build or deletes it. @throws if a step does not end as expected. */
export async function playDemo(options: DemoOptions): Promise<void> {
  const target = targetFrom(options.env);
  if (target !== null) return await playOn({ ...options, target });
  const emulator = await startEmulator(options.seconds);
  await playOnEmulator({ ...options, target: emulator.target }).finally(emulator.close);
}

async function playOnEmulator(demo: Demo): Promise<void> {
  const name = "demo-agent";
  await update(demo, name, "release", await create(demo, name));
  const failed = await deploy(demo, "3 A build that fails", { name, repo_ref: failingRef });
  expectRun(failed, { conclusion: "failure", outcome: "failed", status: "BUILD_FAILED" });
}

/** On a control plane of somebody's own: whatever happens, it deletes what it created. */
async function playOn(demo: Demo): Promise<void> {
  const name = `demo-${Date.now().toString(36)}`;
  let created: Readonly<Record<string, string>> = { name };
  const problems = [
    ...(await problemsOf(async () => {
      const run = await create(demo, name, (deployment_id) => {
        created = { deployment_id };
      });
      await update(demo, name, demo.target.repoRef, run);
    })),
    ...(await problemsOf(() => remove(demo, created))),
  ];
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function problemsOf(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** `onCreated`: called with the deployment's id, even if the step fails afterwards. */
async function create(demo: Demo, name: string, onCreated?: (id: string) => void): Promise<ActionRun> {
  const { integrationId, repoRef, appConfigPath } = demo.target;
  const run = await deploy(demo, "1 Create", {
    name,
    integration_id: integrationId,
    repo_ref: repoRef,
    app_config_path: appConfigPath,
    secrets: `DEMO_SECRET=${demoSecret}`,
  });
  if (run.outputs.deployment_id) onCreated?.(run.outputs.deployment_id);
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  return run;
}

async function update(demo: Demo, name: string, ref: string, { outputs }: ActionRun): Promise<void> {
  const run = await deploy(demo, "2 Update", { name, repo_ref: ref });
  const { deployment_id } = outputs;
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "false", deployment_id });
}

async function remove(demo: Demo, created: Readonly<Record<string, string>>): Promise<void> {
  const inputs = { ...credentials(demo.target), ...created };
  const secrets = [demo.target.apiKey];
  const run = await playStep({ title: "3 Delete", action: "delete", inputs, secrets }, demo);
  expectRun(run, { conclusion: "success", outcome: "deleted" });
}

function deploy(demo: Demo, title: string, given: Readonly<Record<string, string>>): Promise<ActionRun> {
  const { target, seconds } = demo;
  const own = { repo_url: target.repoUrl, poll_interval_seconds: String(seconds) };
  const inputs = { ...credentials(target), ...own, ...given };
  return playStep({ title, action: "deploy", inputs, secrets: [target.apiKey, demoSecret] }, demo);
}

function credentials({ controlPlaneUrl, apiKey, workspaceId }: Target): Record<string, string> {
  return { control_plane_url: controlPlaneUrl, api_key: apiKey, workspace_id: workspaceId };
}

function expectRun(run: ActionRun, expected: Readonly<Record<string, string | undefined>>): void {
  const actual: Readonly<Record<string, string>> = { ...run.outputs, conclusion: run.conclusion };
  const wrong = Object.entries(expected).filter(([name, value]) => actual[name] !== value);
  if (wrong.length === 0) return;
  const found = wrong.map(([name, value]) => `${name} should be ${value}, but is ${actual[name]}`);
  throw new Error(`Not as expected: ${found.join("; ")}`);
}
