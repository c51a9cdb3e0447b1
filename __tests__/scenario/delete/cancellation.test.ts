import { expect, test } from "@jest/globals";
import { removeTracked } from "../../../src/actions/removal.ts";
import { CancelledError } from "../../../src/errors.ts";
import { ControlPlane } from "../../../src/platform/control-plane.ts";
import { standard } from "../../../src/platform/platforms.ts";
import { Progress } from "../../../src/progress/progress.ts";
import { leftRunning } from "../../../src/report/left-running.ts";
import { type PreviewScenario, previewOf7, startPreviewScenario } from "../../support/preview-scenario.ts";
import { recordingContext } from "../../support/recording-context.ts";

const cancelled = new CancelledError("SIGINT");
const next = "Run the job again if it is still needed.";
const deletion = { method: "DELETE" };

async function scenarioWithAgent() {
  const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
  const { outputs } = await scenario.run("deploy", { inputs: { name: "agent" } });
  return { scenario, inputs: { deployment_id: String(outputs.deployment_id) } };
}

/** A closed pull request, whose preview is there. */
async function closedPreview(): Promise<PreviewScenario> {
  const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
  scenario.open();
  expect((await scenario.preview("opened")).outputs.outcome).toBe("deployed");
  scenario.shut();
  return scenario;
}

test("before the deletion is sent, a cancel leaves nothing in doubt", async () => {
  const { scenario, inputs } = await scenarioWithAgent();
  const { context, ended } = scenario.start("delete", { inputs });
  context.cancel(cancelled);
  const run = await ended;
  expect(run.requests).toEqual([]);
  expect(run.errors).toEqual([
    `The run was cancelled (SIGINT). Nothing had been sent to the platform that changes anything. ${next}`,
  ]);
});

test("while the deletion hangs, a cancel says that it may have taken effect", async () => {
  const { scenario, inputs } = await scenarioWithAgent();
  scenario.emulator.misbehave({ kind: "hang", match: deletion });
  const { context, ended } = scenario.start("delete", { inputs });
  await scenario.until(() => scenario.emulator.requests.some(({ method }) => method === "DELETE"));
  context.cancel(cancelled);
  const title = inputs.deployment_id;
  expect((await ended).errors).toEqual([
    `The run was cancelled (SIGINT). The deletion of deployment ${title} may have taken effect. ${next}`,
  ]);
});

test("after a preview's deletion, a cancel says that it was deleted", async () => {
  const scenario = await closedPreview();
  const { emulator, startPreview, until } = scenario;
  // The look whether another deployment goes by its name.
  emulator.misbehave({ kind: "hang", match: { method: "GET", path: "^/v2/deployments$" } });
  const { context, ended } = startPreview("closed");
  const before = emulator.requests.length;
  await until(() => emulator.requests.slice(before).some(({ path }) => path === "/v2/deployments"));
  context.cancel(cancelled);
  const run = await ended;
  expect(emulator.deployments()).toEqual([]);
  expect(run.errors).toEqual([
    `The run was cancelled (SIGINT). Deployment ${previewOf7} was deleted. ${next}`,
  ]);
});

test.each([
  [403, "Nothing had been sent to the platform that changes anything."],
  [500, "The deletion of deployment agent may have taken effect."],
])("after a deletion that %d ended without a cancel, one that comes later says: %s", async (status, left) => {
  const { scenario, inputs } = await scenarioWithAgent();
  const { emulator, clock } = scenario;
  emulator.misbehave({ kind: "answer", match: { ...deletion, times: "always" }, status, body: {} });
  const context = recordingContext({}, clock);
  const headers = { "x-api-key": emulator.apiKey, "x-tenant-id": emulator.workspaceId };
  const settings = { platform: standard, url: new URL(emulator.url), headers, requestTimeoutMs: 5000 };
  const plane = new ControlPlane(settings, context, { attempts: 1, until: clock.now() });
  const progress = new Progress(context);
  const agent = { id: inputs.deployment_id, title: "agent" };
  await expect(removeTracked(agent, plane, progress, context)).rejects.toThrow();
  expect(leftRunning(progress.facts)).toBe(left);
});
