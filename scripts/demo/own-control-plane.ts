import type { ActionRun } from "../../__tests__/support/runner/run-action.ts";
import { messageOf } from "../support/run.ts";
import { expectRun } from "./expect-run.ts";
import { Narrator } from "./narrator.ts";
import { playStep, type StepOptions } from "./step.ts";
import type { Target } from "./target.ts";

interface Demo extends StepOptions {
  readonly target: Target;
  readonly pollSeconds: number;
}

/** A value to see masked in the log. Nothing reads it. */
const demoSecret = "the-demo-keeps-this-to-itself";

/** Creates a deployment and updates it; whatever happens, deletes it. @throws if a step does not end as expected. */
export async function playOnOwnControlPlane(demo: Demo): Promise<void> {
  const name = `demo-${Date.now().toString(36)}`;
  let created: Readonly<Record<string, string>> = { name };
  const problems = [
    ...(await problemsOf(async () => {
      const run = await create(demo, name, (deployment_id) => {
        created = { deployment_id };
      });
      await update(demo, name, run);
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
async function create(demo: Demo, name: string, onCreated: (id: string) => void): Promise<ActionRun> {
  const { integrationId, repoRef, appConfigPath } = demo.target;
  const run = await deploy(demo, "1 Create", {
    name,
    integration_id: integrationId,
    repo_ref: repoRef,
    app_config_path: appConfigPath,
    secrets: `DEMO_SECRET=${demoSecret}`,
  });
  if (run.outputs.deployment_id) onCreated(run.outputs.deployment_id);
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  return run;
}

async function update(demo: Demo, name: string, { outputs }: ActionRun): Promise<void> {
  const run = await deploy(demo, "2 Update", { name, repo_ref: demo.target.repoRef });
  const { deployment_id } = outputs;
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "false", deployment_id });
}

async function remove(demo: Demo, created: Readonly<Record<string, string>>): Promise<void> {
  const inputs = { ...credentials(demo.target), ...created };
  const title = "3 Delete";
  new Narrator(demo.print).chapter(title);
  const run = await playStep({ title, action: "delete", inputs, secrets: [demo.target.apiKey] }, demo);
  expectRun(run, { conclusion: "success", outcome: "deleted" });
}

function deploy(demo: Demo, title: string, given: Readonly<Record<string, string>>): Promise<ActionRun> {
  const { target, pollSeconds, print } = demo;
  const own = { repo_url: target.repoUrl, poll_interval_seconds: String(pollSeconds) };
  const inputs = { ...credentials(target), ...own, ...given };
  new Narrator(print).chapter(title);
  return playStep({ title, action: "deploy", inputs, secrets: [target.apiKey, demoSecret] }, demo);
}

function credentials({ controlPlaneUrl, apiKey, workspaceId }: Target): Record<string, string> {
  return { control_plane_url: controlPlaneUrl, api_key: apiKey, workspace_id: workspaceId };
}
