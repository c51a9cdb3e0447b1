import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { call, deploymentIn } from "../../../emulator/__tests__/support/client.ts";
import type { FaultRule } from "../../../emulator/index.ts";
import { controlPlaneDigest } from "../../../src/platform/control-plane-settings.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { type ActionRun, type RunOptions, runAction, startAction } from "../../support/runner/run-action.ts";
import { cancelDelays } from "../../support/runner/step-process.ts";
import { defaultCreate, previewOf7, repositoryInputs, writes } from "../../support/scenario.ts";
import { type Servers, withServers } from "../support/servers.ts";
import type { InFlight, Phase } from "./phases.ts";

export interface Cancellation {
  readonly phase: Phase;
  /** Sent one after the other. */
  readonly signals: readonly NodeJS.Signals[];
  /** When the response to the request in flight arrives. */
  readonly response: "never" | "slowly" | "at once";
  /** Whether GitHub never responds after the signal. */
  readonly gitHubHangs: boolean;
}

/** What a step that was cancelled left behind. */
export interface CancelledStep {
  readonly run: ActionRun;
  /** The post step, if the action has one. GitHub responds again. */
  readonly post: ActionRun | undefined;
  /** The requests to the platform after the signal that change something. */
  readonly writesAfterSignal: readonly string[];
  /** The states of each record on GitHub, oldest first. */
  readonly recordStates: readonly (readonly string[])[];
  readonly comments: readonly string[];
  /** The files in the workspace. */
  readonly files: readonly string[];
}

const betweenSignalsMs = 100;
const slowByteMs = 20;

/** Runs an action as a process, signals it while a request is in flight, and passes what it left behind to `check`. */
export async function cancelStep(
  cancellation: Cancellation,
  check: (step: CancelledStep) => void,
): Promise<void> {
  await withServers({ emulator: { sampleUsage: true } }, async (servers) => {
    const workspace = mkdtempSync(join(tmpdir(), "cancelled-"));
    try {
      check(await cancelWith(servers, workspace, cancellation));
    } finally {
      rmSync(workspace, { recursive: true });
    }
  });
}

async function cancelWith(
  servers: Servers,
  workspace: string,
  cancellation: Cancellation,
): Promise<CancelledStep> {
  const { emulator, github } = servers;
  const { phase } = cancellation;
  if (phase.existing) await makeExisting(servers, phase);
  for (const rule of phase.rules ?? []) emulator.addFault(rule);
  const respondAgain = delayResponse(servers, cancellation);
  const options = { ...optionsOf(servers, phase), workspace };
  const started = await startAction(options);
  const server = phase.during.server === "platform" ? emulator : github;
  const isInFlight = () => server.requests.filter(matches(phase.during)).length >= (phase.during.nth ?? 1);
  await Promise.race([until(isInFlight), failIfEnded(started, phase)]);
  const respondOnGitHub = cancellation.gitHubHangs
    ? github.fail({ kind: "hang", match: { times: "always" } })
    : () => {};
  const before = new Set(emulator.requests);

  await sendSignals(started, cancellation.signals);
  const run = await started.result;

  respondAgain();
  respondOnGitHub();
  const writesAfterSignal = writes(emulator.requests.filter((request) => !before.has(request)));
  const hasPost = ["deploy", "preview", "rollback"].includes(phase.action);
  const post = hasPost ? await runAction({ ...options, phase: "post", state: run.state }) : undefined;
  return {
    run,
    post,
    writesAfterSignal: writesAfterSignal.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`),
    recordStates: github.deployments().map(({ statuses }) => statuses.map(({ state }) => state).toReversed()),
    comments: github.comments(7).map(({ body }) => body),
    files: readdirSync(workspace),
  };
}

/** A deployment, for a rollback with two revisions; for a sweep two previews of a closed pull request. */
async function makeExisting({ emulator, github, access }: Servers, { action }: Phase): Promise<void> {
  const isSweep = action === "sweep";
  const single = action === "preview" ? previewOf7 : "agent";
  for (const name of isSweep ? ["preview-1", "preview-2"] : [single]) {
    const { id } = deploymentIn(await call(emulator, "POST /v2/deployments", { ...defaultCreate, name }));
    if (action === "rollback") await call(emulator, `PATCH /v2/deployments/${id}`, { secrets: [] });
    if (!isSweep) continue;
    const url = new URL(access.control_plane_url);
    const control_plane_digest = controlPlaneDigest({ url, workspaceId: access.workspace_id });
    const payload = { name, deployment_id: id, revision_id: "1", pull_request: 7, control_plane_digest };
    const record = { ref: "main", task: `preview:${name}`, environment: "Preview", payload };
    github.records.add(record, actionsLogin);
  }
  if (isSweep || action === "preview") github.pullRequests.change(7, { state: "closed" });
}

/** The request in flight gets its response slowly or never; a write takes effect anyway. */
function delayResponse({ emulator, github }: Servers, { phase, response }: Cancellation): () => void {
  const { server, method, path, nth = 1 } = phase.during;
  const match = { method, path, from: nth };
  if (response === "at once") return () => {};
  const rule: Extract<FaultRule, { kind: "hang" | "trickle" }> =
    response === "never"
      ? { kind: "hang", match, applied: method !== "GET" }
      : { kind: "trickle", match, milliseconds: slowByteMs };
  return server === "platform" ? emulator.addFault(rule) : github.fail(rule);
}

const inputsOf: Readonly<Record<Phase["action"], Readonly<Record<string, string>>>> = {
  deploy: { name: "agent", environment: "staging", ...repositoryInputs },
  preview: repositoryInputs,
  delete: { name: "agent" },
  rollback: { name: "agent", environment: "staging" },
  sweep: {},
  check: {},
  usage: { csv_file: "usage.csv" },
  "oauth-provider": { provider_id: "local-provider", name: "other" },
};

function optionsOf({ github, access }: Servers, { action, inputs, existing }: Phase): RunOptions {
  const { event, env } =
    action === "preview"
      ? github.pullRequestRun(7, existing ? "closed" : "opened")
      : { event: undefined, env: github.env };
  const { control_plane_url: base_url, workspace_id: workspace_ids, api_key } = access;
  const address = action === "usage" ? { base_url, workspace_ids, api_key } : access;
  return { action, env, inputs: { ...address, ...inputsOf[action], ...inputs }, ...(event && { event }) };
}

type Started = Awaited<ReturnType<typeof startAction>>;

async function sendSignals(started: Started, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const [index, signal] of signals.entries()) {
    if (index > 0) await delay(betweenSignalsMs);
    started.sendSignal(signal);
  }
  // A step that has not ended when the runner would send its next signal is killed, so that the test sees it.
  const late = setTimeout(() => started.sendSignal("SIGKILL"), cancelDelays.SIGINT);
  await started.result;
  clearTimeout(late);
}

function matches({ method, path }: InFlight): (request: { method: string; path: string }) => boolean {
  const pattern = new RegExp(path);
  return (request) => request.method === method && pattern.test(request.path);
}

async function failIfEnded({ result }: Started, { name }: Phase): Promise<never> {
  const { stdout } = await result;
  throw new Error(`The step ended before ${name}:\n${stdout}`);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5);
}
