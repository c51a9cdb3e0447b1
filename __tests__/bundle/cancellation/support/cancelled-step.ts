import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuleInput } from "../../../../emulator/misbehave/rules.ts";
import { type Emulator, startEmulator } from "../../../../emulator/server.ts";
import { call, deploymentIn } from "../../../emulator/support/client.ts";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../../../support/github/github-stand-in.ts";
import {
  type ActionRun,
  type RunOptions,
  runAction,
  startAction,
} from "../../../support/runner/run-action.ts";
import { runnerPauses } from "../../../support/runner/step-process.ts";
import { defaultCreate, writes } from "../../../support/scenario.ts";
import type { InFlight, Phase } from "./phases.ts";

export interface Cancellation {
  readonly phase: Phase;
  /** Sent one after the other. */
  readonly signals: readonly NodeJS.Signals[];
  /** How the request that is in flight is answered. */
  readonly answer: "never" | "slowly" | "at once";
  /** Whether GitHub answers from the signal on. */
  readonly github: "healthy" | "hanging";
}

/** What a step that was cancelled left behind. */
export interface CancelledStep {
  readonly run: ActionRun;
  /** The step after it, where the action has one; GitHub is healthy again. */
  readonly post: ActionRun | undefined;
  /** What the platform was asked to change after the signal. */
  readonly writesAfterSignal: readonly string[];
  /** Of each record on GitHub, the states it was given, oldest first. */
  readonly recordStates: readonly (readonly string[])[];
  readonly comments: readonly string[];
  readonly violations: readonly string[];
  /** What is in the workspace afterwards. */
  readonly files: readonly string[];
}

const betweenSignalsMs = 100;
/** Real milliseconds for each byte of a slow answer. */
const slowness = 20;

const previewName = "octo-repo-pr-7";

interface World {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly workspace: string;
}

/** Runs an action as a process and signals it in the middle. */
export async function cancelStep(cancellation: Cancellation): Promise<CancelledStep> {
  const emulator = await startEmulator({ statusSeconds: 0, sampleUsage: true });
  const github = await startGitHub({ files: { "app/config.json": "{}" } });
  const workspace = mkdtempSync(join(tmpdir(), "cancelled-"));
  try {
    return await cancelIn({ emulator, github, workspace }, cancellation);
  } finally {
    await emulator.close();
    await github.close();
    rmSync(workspace, { recursive: true });
  }
}

async function cancelIn(world: World, cancellation: Cancellation): Promise<CancelledStep> {
  const { emulator, github, workspace } = world;
  const { phase } = cancellation;
  github.pullRequests.open({ number: 7 });
  if (phase.existing) await makeExisting(world, phase);
  for (const rule of phase.rules ?? []) emulator.misbehave(rule);
  const heal = spoil(world, cancellation);
  const options = optionsOf(world, phase);
  const started = await startAction(options);
  const asked = phase.during.server === "platform" ? emulator : github;
  const isInFlight = () => asked.requests.filter(matches(phase.during)).length >= (phase.during.nth ?? 1);
  await Promise.race([until(isInFlight), endedBefore(started, phase)]);
  const silent = cancellation.github === "hanging";
  const healGitHub = silent ? github.fail({ kind: "hang", match: { times: "always" } }) : () => {};
  const before = new Set(emulator.requests);
  await signal(started, cancellation.signals);
  const run = await started.result;
  heal();
  healGitHub();
  const writesAfterSignal = writes(emulator.requests.filter((request) => !before.has(request)));
  const hasPost = phase.action === "deploy" || phase.action === "preview";
  const post = hasPost ? await runAction({ ...options, phase: "post", state: run.state }) : undefined;
  return {
    run,
    post,
    writesAfterSignal: writesAfterSignal.map(({ method, path }) => `${method} ${path}`),
    recordStates: github.deployments().map(({ statuses }) => statuses.map(({ state }) => state).toReversed()),
    comments: github.comments(7).map(({ body }) => body),
    violations: github.violations,
    files: readdirSync(workspace),
  };
}

/** A deployment; for a sweep two previews of a closed pull request. */
async function makeExisting({ emulator, github }: World, { action }: Phase): Promise<void> {
  const names =
    action === "sweep" ? ["preview-1", "preview-2"] : [action === "preview" ? previewName : "agent"];
  for (const name of names) {
    const { id } = deploymentIn(await call(emulator, "POST /v2/deployments", { ...defaultCreate, name }));
    if (action !== "sweep") continue;
    const payload = { name, deployment_id: id, revision_id: "1", pull_request: 7 };
    github.records.add(
      { ref: "main", task: `preview:${name}`, environment: "Preview", payload },
      actionsLogin,
    );
    github.pullRequests.change(7, { state: "closed" });
  }
}

/** Has the request that is in flight at the signal answered slowly or never; a write is carried out all the same. */
function spoil({ emulator, github }: World, { phase, answer }: Cancellation): () => void {
  const { server, method, path, nth = 1 } = phase.during;
  const match = { method, path, from: nth };
  const applied = method !== "GET";
  if (answer === "at once") return () => {};
  const rule: Extract<RuleInput, { kind: "hang" | "trickle" }> =
    answer === "never"
      ? { kind: "hang", match, applied }
      : { kind: "trickle", match, milliseconds: slowness };
  return server === "platform" ? emulator.misbehave(rule) : github.fail(rule);
}

function optionsOf({ emulator, github, workspace }: World, phase: Phase): RunOptions {
  const { event, env } =
    phase.action === "preview"
      ? github.pullRequestRun(7, phase.existing ? "closed" : "opened")
      : { event: undefined, env: github.env };
  const given = {
    api_key: emulator.apiKey,
    ...(phase.action === "usage"
      ? { base_url: emulator.url, workspace_ids: emulator.workspaceId, csv_file: "usage.csv" }
      : { control_plane_url: emulator.url, workspace_id: emulator.workspaceId }),
    ...inputsOf[phase.action],
    ...phase.inputs,
  };
  return { action: phase.action, env, workspace, inputs: given, ...(event && { event }) };
}

const repository = { integration_id: "integration-1", app_config_path: "app/config.json" };
const inputsOf: Readonly<Record<Phase["action"], Readonly<Record<string, string>>>> = {
  deploy: { name: "agent", environment: "staging", ...repository },
  preview: repository,
  delete: { name: "agent" },
  sweep: {},
  usage: {},
  "oauth-provider": { provider_id: "local-provider", name: "other" },
};

type Started = Awaited<ReturnType<typeof startAction>>;

async function signal(started: Started, signals: readonly NodeJS.Signals[]): Promise<void> {
  const [first = "SIGINT", ...others] = signals;
  started.sendSignal(first);
  for (const other of others) {
    await new Promise((resolve) => setTimeout(resolve, betweenSignalsMs));
    started.sendSignal(other);
  }
  // Whoever needs the runner's next signal hasn't ended by itself, and is seen to be killed.
  const late = setTimeout(() => started.sendSignal("SIGKILL"), runnerPauses.afterSigint);
  await started.result;
  clearTimeout(late);
}

function matches({ method, path }: InFlight): (request: { method: string; path: string }) => boolean {
  const pattern = new RegExp(path);
  return (request) => request.method === method && pattern.test(request.path);
}

async function endedBefore({ result }: Started, { name }: Phase): Promise<never> {
  const { stdout } = await result;
  throw new Error(`The step ended before ${name}:\n${stdout}`);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
