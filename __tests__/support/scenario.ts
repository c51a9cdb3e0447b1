import { afterEach } from "@jest/globals";
import type { DeploymentSnapshot } from "../../emulator/deployments/control-plane.ts";
import type { LoggedRequest } from "../../emulator/request-log.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server.ts";
import type { CreateRequest } from "../../src/platform/schemas.ts";
import { type ActionName, type Phase, run } from "../../src/run.ts";
import { call, deploymentIn } from "../emulator/support/client.ts";
import { type RecordingContext, recordingContext } from "./recording-context.ts";
import { VirtualClock } from "./virtual-clock.ts";

export type Inputs = Readonly<Record<string, string>>;

/** What a run of the root action left behind. */
export interface DeployRun {
  readonly succeeded: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  /** Every line, annotations too. */
  readonly log: string;
  readonly infos: readonly string[];
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly summary: string;
  readonly masks: readonly string[];
  /** What the control plane was asked during the run. */
  readonly requests: readonly LoggedRequest[];
  /** Seconds of virtual time. */
  readonly took: number;
}

/** A run that can be cancelled and looked at while it goes on. */
export interface StartedDeploy {
  readonly context: RecordingContext;
  readonly ended: Promise<DeployRun>;
}

export interface Scenario {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  /** Runs the root action with `defaultInputs`, these in their place or beside them. */
  deploy(inputs?: Inputs, env?: Inputs): Promise<DeployRun>;
  start(inputs?: Inputs, env?: Inputs): StartedDeploy;
  /** A deployment that is there already, its first revision made a minute ago. */
  existing(name?: string, request?: Partial<CreateRequest>): Promise<{ id: string; revisionId: string }>;
  /** One that is there already and is being deleted, which takes so many seconds. */
  leaving(seconds: number): Promise<{ id: string }>;
  /** A request of somebody else's. */
  elsewhere(line: string, body?: unknown): Promise<void>;
  /** What the control plane really holds under a name. */
  held(name?: string): DeploymentSnapshot;
  /** Resolves as soon as the control plane was asked this. */
  asked(method: string, path?: RegExp): Promise<void>;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
}

/** Enough to create a deployment named `agent`. */
export const defaultInputs: Inputs = {
  name: "agent",
  integration_id: "integration-1",
  app_config_path: "app/config.json",
};

/** A push to `main`. */
export const pushToMain: Inputs = {
  GITHUB_EVENT_NAME: "push",
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REF: "refs/heads/main",
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
};

/** The create request that `defaultInputs` make on `pushToMain`. */
export const defaultCreate: CreateRequest = {
  name: "agent",
  source: "github",
  source_config: {
    integration_id: "integration-1",
    repo_url: "https://github.com/octo-org/octo-repo",
    deployment_type: "dev",
    build_on_push: false,
    custom_url: null,
    resource_spec: null,
  },
  source_revision_config: { repo_ref: "main", app_config_path: "app/config.json", image_uri: null },
  secrets: [],
};

const open: Emulator[] = [];

afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

/**
 * An emulator on virtual time, and the root action in this process, talking to it over real HTTP. Each pending
 * status lasts five seconds. The emulator is closed after the test.
 */
export async function startScenario(options: EmulatorOptions = {}): Promise<Scenario> {
  const clock = new VirtualClock();
  const emulator = await startEmulator({ now: () => clock.now(), statusSeconds: 5, ...options });
  open.push(emulator);
  const start = (inputs: Inputs = {}, env: Inputs = {}): StartedDeploy => {
    const context = recordingContext(environmentOf(emulator, inputs, env), clock);
    return { context, ended: finish(context, emulator, clock) };
  };
  const pass = (seconds: number) => clock.sleep(seconds * 1000, new AbortController().signal);
  const existing: Scenario["existing"] = async (name = "agent", request = {}) => {
    const answer = await call(emulator, "POST /v2/deployments", { ...defaultCreate, name, ...request });
    await pass(60);
    const { id, latest } = deploymentIn(answer);
    return { id, revisionId: latest };
  };
  const elsewhere: Scenario["elsewhere"] = async (line, body) => {
    const { status } = await call(emulator, line, body);
    if (status >= 300) throw new Error(`${line} was answered with ${status}`);
  };
  return {
    emulator,
    clock,
    start,
    deploy: (inputs, env) => start(inputs, env).ended,
    existing,
    leaving: async (seconds) => {
      const { id } = await existing();
      emulator.misbehave({ kind: "slow_delete", seconds });
      await elsewhere(`DELETE /v2/deployments/${id}`);
      return { id };
    },
    elsewhere,
    held: (name = "agent") => {
      const found = emulator.deployments().find((deployment) => deployment.name === name);
      if (found === undefined) throw new Error(`There is no deployment named ${name}`);
      return found;
    },
    asked: async (method, path = /^/) => {
      while (!emulator.requests.some((one) => one.method === method && path.test(one.path))) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    pass,
  };
}

function environmentOf(emulator: Emulator, inputs: Inputs, env: Inputs): Record<string, string> {
  const given = {
    control_plane_url: emulator.url,
    api_key: emulator.apiKey,
    workspace_id: emulator.workspaceId,
    ...defaultInputs,
    ...inputs,
  };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  return { ...pushToMain, ...env, ...Object.fromEntries(variables) };
}

/** Runs an action to its end. */
export async function finish(
  context: RecordingContext,
  emulator: Emulator,
  clock: VirtualClock,
  action: ActionName = "deploy",
  phase: Phase = "main",
): Promise<DeployRun> {
  const before = new Set(emulator.requests);
  const startedAt = clock.now();
  const succeeded = await run(action, phase, context);
  const { lines, outputs, summary, masks } = context.recorded;
  const of = (kind: string) => lines.filter((line) => line.kind === kind).map(({ text }) => text);
  return {
    succeeded,
    outputs,
    log: lines.map(({ text }) => text).join("\n"),
    infos: of("info"),
    notices: of("notice"),
    warnings: of("warning"),
    errors: of("error"),
    summary,
    masks,
    requests: emulator.requests.filter((one) => !before.has(one) && isOurs(one)),
    took: (clock.now() - startedAt) / 1000,
  };
}

function isOurs({ headers }: LoggedRequest): boolean {
  return headers["user-agent"]?.startsWith("deploy-agent-server") ?? false;
}

/** The requests that change something. */
export function writes(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(({ method }) => method !== "GET");
}

/** `GET /v2/deployments 200`, for each request. */
export function spelled(requests: readonly LoggedRequest[]): string[] {
  return requests.map(({ method, path, status }) => `${method} ${path} ${status ?? "-"}`);
}
