import { setImmediate as macrotask } from "node:timers/promises";
import { afterAll, afterEach, expect } from "@jest/globals";
import { call, deploymentIn } from "../../emulator/__tests__/support/client.ts";
import {
  type DeploymentSnapshot,
  type Emulator,
  type EmulatorOptions,
  type LoggedRequest,
  SAMPLE_INTEGRATION,
  startEmulator,
} from "../../emulator/index.ts";
import { CancelledError } from "../../src/errors.ts";
import type { CreateRequest } from "../../src/platform/schemas.ts";
import type { ErrorAnnotation } from "../../src/report/runner/log.ts";
import { type ActionName, type Phase, run } from "../../src/run.ts";
import { type RecordingContext, recordingContext } from "./recording-context.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { inputVariables } from "./runner/step-environment.ts";
import { VirtualClock } from "./virtual-clock.ts";

export type Inputs = Readonly<Record<string, string>>;

/** What a run left behind. */
export interface DeployRun {
  readonly succeeded: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  /** Every line, annotations too. */
  readonly log: string;
  readonly infos: readonly string[];
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** What GitHub shows beside the text of each error. */
  readonly annotations: readonly (ErrorAnnotation | undefined)[];
  readonly summary: string;
  readonly masks: readonly string[];
  /** Those that the control plane got during the run. */
  readonly requests: readonly LoggedRequest[];
  /** Seconds of virtual time. */
  readonly took: number;
}

/** A run that is not over. */
export interface StartedRun {
  readonly context: RecordingContext;
  readonly ended: Promise<DeployRun>;
  /** Cancels it as the runner does. */
  cancel(): void;
}

export interface Scenario {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  /** Runs the root action with the platform's default inputs, these in their place or beside them. */
  deploy(inputs?: Inputs, env?: Inputs): Promise<DeployRun>;
  start(inputs?: Inputs, env?: Inputs): StartedRun;
  /** Starts an action with these inputs and the ones that reach the control plane. */
  startAction(action: ActionName, inputs: Inputs, env?: Inputs): StartedRun;
  /** A deployment whose first revision was created a minute ago. */
  existing(name?: string, request?: Partial<CreateRequest>): Promise<{ id: string; revisionId: string }>;
  /** One whose deletion has begun and takes this long. */
  deleting(seconds: number): Promise<{ id: string }>;
  /** Sends a request of somebody else. @throws if it is refused */
  send(line: string, body?: unknown): Promise<void>;
  /** What the control plane holds under a name. */
  stored(name?: string): DeploymentSnapshot;
  /** Resolves as soon as the control plane got such a request. */
  requested(method: string, path?: RegExp): Promise<void>;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
}

/** Enough to create a deployment named `agent`. */
export const defaultInputs: Inputs = {
  name: "agent",
  integration_id: "integration-1",
  app_config_path: "app/config.json",
};

/** The same on platform langsmith, which finds the integration and has a default path. */
export const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };

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

/** The same request to platform langsmith. */
export function langsmithCreate({ source_config, source_revision_config, ...request }: CreateRequest) {
  const { app_config_path: _, ...revisionConfig } = source_revision_config;
  return {
    ...request,
    source_config: { ...source_config, integration_id: SAMPLE_INTEGRATION.id },
    source_revision_config: { ...revisionConfig, langgraph_config_path: "langgraph.json" },
  };
}

const emulators: Emulator[] = [];
const requestsInFlight = new RequestsInFlight();

afterEach(async () => {
  for (const emulator of emulators.splice(0)) await emulator.close();
});
afterAll(() => requestsInFlight.close());

/** Starts an emulator on this clock, which is closed after the test. */
export async function startEmulatorOn(clock: VirtualClock, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ now: () => clock.now(), ...options });
  emulators.push(emulator);
  return emulator;
}

/** Lets virtual time pass while requests to a server are in flight. */
export function passTimeDuringRequestsTo(url: string): void {
  requestsInFlight.ignore(url);
}

/** Virtual time that stands still while an action's request is in flight. */
export function scenarioClock(): VirtualClock {
  return new VirtualClock(undefined, requestsInFlight);
}

/**
 * An emulator on virtual time, and the root action in this process, which talks to it over real HTTP. Each pending status
 * lasts one second. The emulator is closed after the test.
 */
export async function startScenario(
  options: EmulatorOptions = {},
  clock: VirtualClock = scenarioClock(),
): Promise<Scenario> {
  const emulator = await startEmulatorOn(clock, options);
  const isLangsmith = options.platform === "langsmith";
  const startAction: Scenario["startAction"] = (action, inputs, env = {}) => {
    const context = recordingContext(environmentOf(emulator, inputs, env), clock);
    const cancel = () => context.cancel(new CancelledError("SIGINT"));
    return { context, cancel, ended: finish({ context, emulator, clock, action }) };
  };
  const start: Scenario["start"] = (inputs, env) =>
    startAction("deploy", { ...defaultInputs, ...(isLangsmith && langsmith), ...inputs }, env);
  const pass = (seconds: number) => clock.sleep(seconds * 1000, new AbortController().signal);
  const existing: Scenario["existing"] = async (name = "agent", request = {}) => {
    const create = { ...defaultCreate, name, ...request };
    const response = await call(
      emulator,
      "POST /v2/deployments",
      isLangsmith ? langsmithCreate(create) : create,
    );
    await pass(60);
    const { id, latest } = deploymentIn(response);
    return { id, revisionId: latest };
  };
  const send: Scenario["send"] = async (line, body) => {
    const { status } = await call(emulator, line, body);
    if (status >= 300) throw new Error(`${line} failed with ${status}`);
  };
  return {
    emulator,
    clock,
    start,
    startAction,
    deploy: (inputs, env) => start(inputs, env).ended,
    existing,
    deleting: async (seconds) => {
      const { id } = await existing();
      emulator.addFault({ kind: "slow_delete", seconds });
      await send(`DELETE /v2/deployments/${id}`);
      return { id };
    },
    send,
    stored: (name = "agent") => {
      const found = emulator.deployments().find((deployment) => deployment.name === name);
      if (found === undefined) throw new Error(`There is no deployment named ${name}`);
      return found;
    },
    requested: async (method, path = /^/) => {
      while (!emulator.requests.some((one) => one.method === method && path.test(one.path))) {
        // Otherwise a test that failed would keep Jest from ending.
        if (!emulators.includes(emulator))
          throw new Error(`${method} ${path} was not requested in this test`);
        await macrotask();
      }
    },
    pass,
  };
}

/** A scenario whose platform has a clock that is behind the runner's. */
export async function startBehind(seconds: number): Promise<Scenario> {
  let behind: VirtualClock | undefined;
  const now = () => (behind?.now() ?? 0) - seconds * 1000;
  const scenario = await startScenario({ statusSeconds: 0, now });
  behind = scenario.clock;
  return scenario;
}

function environmentOf(emulator: Emulator, inputs: Inputs, env: Inputs): Record<string, string> {
  const given = {
    control_plane_url: emulator.url,
    api_key: emulator.apiKey,
    workspace_id: emulator.workspaceId,
    ...inputs,
  };
  return { ...pushToMain, ...env, ...inputVariables(given) };
}

interface ActionRun {
  readonly context: RecordingContext;
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  readonly action: ActionName;
  readonly phase?: Phase | undefined;
}

/** Runs an action to its end. */
export async function finish({
  context,
  emulator,
  clock,
  action,
  phase = "main",
}: ActionRun): Promise<DeployRun> {
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
    annotations: lines.filter(({ kind }) => kind === "error").map(({ annotation }) => annotation),
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
export function requestLines(requests: readonly LoggedRequest[]): string[] {
  return requests.map(({ method, path, status }) => `${method} ${path} ${status ?? "-"}`);
}

/** Expects that the run failed with one annotation, and that this contains all of these facts. */
export function expectError(run: DeployRun, ...facts: readonly (string | null | undefined)[]): void {
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  for (const fact of facts) expect(run.errors[0]).toContain(fact);
}
