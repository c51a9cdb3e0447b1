import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as macrotask } from "node:timers/promises";
import type { AnnotationProperties } from "@actions/core";
import { afterAll, afterEach, expect } from "@jest/globals";
import { call, deploymentIn } from "../../emulator/__tests__/support/client.ts";
import type { CreateRequest } from "../../emulator/dialects/standard.ts";
import {
  type DeploymentSnapshot,
  type Emulator,
  type EmulatorOptions,
  type LoggedRequest,
  SAMPLE_INTEGRATION,
  startEmulator,
} from "../../emulator/index.ts";
import { CancelledError } from "../../src/errors.ts";
import { type ActionName, type Phase, run } from "../../src/run.ts";
import { foreignInputs } from "./foreign-inputs.ts";
import {
  type GitHubOptions,
  type GitHubRequest,
  type GitHubStandIn,
  startGitHub,
} from "./github/github-stand-in.ts";
import type { NewPullRequest, PullRequest } from "./github/pull-requests.ts";
import { type RecordingContext, recordingContext } from "./recording-context.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { defaultToken } from "./runner/run-action.ts";
import { inputVariables, pushEvent, type WorkflowEvent } from "./runner/step-environment.ts";
import { VirtualClock } from "./virtual-clock.ts";

export type Inputs = Readonly<Record<string, string>>;

/** What a run left behind. */
export interface ScenarioRun {
  readonly succeeded: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  /** Every line, annotations too. */
  readonly log: string;
  readonly infos: readonly string[];
  readonly notices: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** What GitHub shows beside the text of each error. */
  readonly annotations: readonly (AnnotationProperties | undefined)[];
  readonly summary: string;
  readonly masks: readonly string[];
  /** What the post step finds as `STATE_<name>`. */
  readonly state: Readonly<Record<string, string>>;
  /** Those that the control plane got during the run. */
  readonly requests: readonly LoggedRequest[];
  /** Those that GitHub got during the run. */
  readonly github: readonly GitHubRequest[];
  /** Seconds of virtual time. */
  readonly took: number;
}

/** A run that is not over. */
export interface StartedRun {
  readonly context: RecordingContext;
  readonly ended: Promise<ScenarioRun>;
  /** Cancels it as the runner does. */
  cancel(): void;
}

export interface RunOptions {
  /** Added to the ones that reach both servers, or in their place. */
  readonly inputs?: Inputs;
  readonly env?: Inputs;
  /** By default a push to main. */
  readonly event?: WorkflowEvent;
  readonly phase?: Phase;
}

export interface PreviewOptions extends RunOptions {
  /** Of the pull request, by default 7. */
  readonly number?: number;
  /** The one that `labeled` or `unlabeled` is about. */
  readonly label?: string;
}

export interface ScenarioOptions extends EmulatorOptions {
  readonly github?: GitHubOptions;
  readonly clock?: VirtualClock;
  /** Time does not stand still while a request to GitHub is in flight. */
  readonly passesTimeInGitHub?: boolean;
}

export interface Scenario {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly clock: VirtualClock;
  /** Runs an action. Deploys and previews get the inputs that the platform needs to create a deployment of the repository. */
  run(action: ActionName, options?: RunOptions): Promise<ScenarioRun>;
  start(action: ActionName, options?: RunOptions): StartedRun;
  /** Runs the root action for a deployment named `agent`, without a token for GitHub. */
  deploy(inputs?: Inputs, env?: Inputs): Promise<ScenarioRun>;
  startDeploy(inputs?: Inputs, env?: Inputs): StartedRun;
  /** Runs the preview action for an event of a pull request as it is now. */
  preview(action: string, options?: PreviewOptions): Promise<ScenarioRun>;
  startPreview(action: string, options?: PreviewOptions): StartedRun;
  /** Opens a pull request, by default number 7. */
  open(given?: NewPullRequest): PullRequest;
  /** Pushes a commit to a pull request. */
  push(sha: string, number?: number): void;
  /** Closes a pull request without merging it. */
  shut(number?: number): void;
  /** A deployment whose first revision was created a minute ago. */
  existing(name?: string, request?: Partial<CreateRequest>): Promise<{ id: string; revisionId: string }>;
  /** One whose deletion has begun and takes this long. */
  deleting(seconds: number): Promise<{ id: string }>;
  /** Sends a request of somebody else. @throws if it is refused */
  send(line: string, body?: unknown): Promise<void>;
  /** What the control plane holds under a name. */
  stored(name?: string): DeploymentSnapshot;
  /** Resolves as soon as this is true. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves as soon as the control plane got such a request. */
  requested(method: string, path?: RegExp): Promise<void>;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
}

/** The options with which each revision is live at once. */
export const immediate = { statusSeconds: 0 };

/** The default name of pull request 7's preview, and the task of its records. */
export const previewOf7 = "octo-repo-7739a-pr-7";
export const taskOf7 = `preview:${previewOf7}`;

/** The inputs that create a deployment of the repository on the standard platform. */
export const repositoryInputs: Inputs = {
  integration_id: "integration-1",
  app_config_path: "app/config.json",
};

/** Enough to create a deployment named `agent`. */
export const defaultInputs: Inputs = { name: "agent", ...repositoryInputs };

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

/** The create request that `deploy` makes on `pushToMain`. */
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

const cleanUps: (() => Promise<void> | void)[] = [];
const running = new Set<Emulator>();
const requestsInFlight = new RequestsInFlight();

afterEach(async () => {
  running.clear();
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(() => requestsInFlight.close());

/** Starts an emulator on this clock, which is closed after the test. */
export async function startEmulatorOn(clock: VirtualClock, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ now: () => clock.now(), ...options });
  running.add(emulator);
  cleanUps.push(() => emulator.close());
  return emulator;
}

/** Starts a GitHub on this clock, which is closed after the test. Every request to it must be one that GitHub describes. */
async function startGitHubOn(clock: VirtualClock, options: GitHubOptions = {}): Promise<GitHubStandIn> {
  const files = { "app/config.json": "{}", "langgraph.json": "{}" };
  const github = await startGitHub({ now: () => clock.now(), files, ...options });
  cleanUps.push(
    () => github.close(),
    () => expect(github.violations).toEqual([]),
  );
  return github;
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
 * A control plane and a GitHub on one virtual time, and actions in this process that talk to both over real HTTP. Each
 * pending status lasts one second. Both are closed after the test.
 */
export async function startScenario(options: ScenarioOptions = {}): Promise<Scenario> {
  const { github: gitHubOptions, passesTimeInGitHub, clock = scenarioClock(), ...emulatorOptions } = options;
  const emulator = await startEmulatorOn(clock, emulatorOptions);
  const github = await startGitHubOn(clock, gitHubOptions);
  if (passesTimeInGitHub) passTimeDuringRequestsTo(github.url);
  const folder = mkdtempSync(join(tmpdir(), "scenario-"));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  const isLangsmith = options.platform === "langsmith";
  const usual = isLangsmith ? langsmith : repositoryInputs;
  let events = 0;

  function start(
    action: ActionName,
    { inputs, env, event = pushEvent, phase = "main" }: RunOptions = {},
  ): StartedRun {
    events += 1;
    const eventPath = join(folder, `${events}.json`);
    writeFileSync(eventPath, JSON.stringify(event.payload));
    const variables = {
      ...pushToMain,
      ...github.env,
      GITHUB_ACTOR: "octocat",
      GITHUB_RUN_ID: String(1000 + events),
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: eventPath,
      ...env,
      ...inputVariables({
        control_plane_url: emulator.url,
        api_key: emulator.apiKey,
        workspace_id: emulator.workspaceId,
        github_token: defaultToken,
        ...(action === "preview" || action === "deploy" ? usual : {}),
        ...inputs,
      }),
    };
    const context = recordingContext(variables, clock);
    const cancel = () => context.cancel(new CancelledError("SIGINT"));
    return { context, cancel, ended: finish({ context, emulator, github, clock, action, phase }) };
  }

  function startPreview(action: string, { number = 7, label, env, ...rest }: PreviewOptions = {}) {
    const { event, env: own } = github.pullRequestRun(number, action, label);
    const branch = github.pullRequests.find(number)?.branch ?? "";
    const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: branch };
    return start("preview", { event, env: { ...own, ...refs, ...env }, ...rest });
  }

  const startDeploy: Scenario["startDeploy"] = (inputs, env) =>
    start("deploy", {
      inputs: { name: "agent", github_token: "", ...inputs },
      env: { ...pushToMain, ...env },
    });
  const pass = (seconds: number) => clock.sleep(seconds * 1000, new AbortController().signal);
  const existing: Scenario["existing"] = async (name = "agent", request = {}) => {
    const create = { ...defaultCreate, name, ...request };
    const body = isLangsmith ? langsmithCreate(create) : create;
    const response = await call(emulator, "POST /v2/deployments", body);
    await pass(60);
    const { id, latest } = deploymentIn(response);
    return { id, revisionId: latest };
  };
  const send: Scenario["send"] = async (line, body) => {
    const { status } = await call(emulator, line, body);
    if (status >= 300) throw new Error(`${line} failed with ${status}`);
  };
  const until: Scenario["until"] = async (isTrue) => {
    while (!isTrue()) {
      // Otherwise a test that failed would keep Jest from ending.
      if (!running.has(emulator)) throw new Error("The test ended before this was true");
      await macrotask();
    }
  };
  return {
    emulator,
    github,
    clock,
    start,
    startDeploy,
    startPreview,
    run: (action, given) => start(action, given).ended,
    deploy: (inputs, env) => startDeploy(inputs, env).ended,
    preview: (action, given) => startPreview(action, given).ended,
    open: (given) => github.pullRequests.open({ number: 7, ...given }),
    push: (sha, number = 7) => void github.pullRequests.change(number, { sha }),
    shut: (number = 7) => void github.pullRequests.change(number, { state: "closed" }),
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
    until,
    requested: (method, path = /^/) =>
      until(() => emulator.requests.some((one) => one.method === method && path.test(one.path))),
    pass,
  };
}

/** A scenario whose platform has a clock that is behind the runner's. */
export async function startBehind(seconds: number): Promise<Scenario> {
  const clock = scenarioClock();
  return await startScenario({ statusSeconds: 0, clock, now: () => clock.now() - seconds * 1000 });
}

interface ActionRun {
  readonly context: RecordingContext;
  readonly emulator: Emulator;
  readonly github?: GitHubStandIn;
  readonly clock: VirtualClock;
  readonly action: ActionName;
  readonly phase?: Phase | undefined;
}

/** Runs an action to its end. */
export async function finish({
  context,
  emulator,
  github,
  clock,
  action,
  phase = "main",
}: ActionRun): Promise<ScenarioRun> {
  const before = new Set(emulator.requests);
  const gitHubBefore = github?.requests.length;
  const startedAt = clock.now();
  const succeeded = await run(action, phase, context);
  const { lines, outputs, state, summary, masks } = context.recorded;
  const of = (kind: string) => lines.filter((line) => line.kind === kind).map(({ text }) => text);
  expect(foreignInputs(action, [...of("error"), ...of("warning"), summary])).toEqual([]);
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
    state,
    github: github?.requests.slice(gitHubBefore) ?? [],
    requests: emulator.requests.filter((one) => !before.has(one) && isOurs(one)),
    took: (clock.now() - startedAt) / 1000,
  };
}

function isOurs({ headers }: LoggedRequest): boolean {
  return headers["user-agent"]?.startsWith("deploy-agent-server") ?? false;
}

/** The requests that change something. */
export function writes(requests: readonly LoggedRequest[]): LoggedRequest[] {
  // A log is read by a POST.
  return requests.filter(({ method, path }) => method !== "GET" && !path.endsWith("_logs"));
}

/** Such as `POST revisions`, `POST redeploy`, `PATCH`, for each request that changes something. */
export function writeLines({ requests }: Pick<ScenarioRun, "requests">): string[] {
  return writes(requests).map(({ method, path }) =>
    [method, ...(/(?<=\/)(?:revisions|redeploy)$/.exec(path) ?? [])].join(" "),
  );
}

/** `GET /v2/deployments 200`, for each request. */
export function requestLines(requests: readonly LoggedRequest[]): string[] {
  return requests.map(({ method, path, status }) => `${method} ${path} ${status ?? "-"}`);
}

/** Expects that the run failed with one annotation, and that this contains all of these facts. */
export function expectError(run: ScenarioRun, ...facts: readonly (string | null | undefined)[]): void {
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  for (const fact of facts) expect(run.errors[0]).toContain(fact);
}

/** Cancels a run once this has happened, and returns how it ended. */
export async function cancelOnce({ cancel, ended }: StartedRun, hasHappened: Promise<unknown>) {
  await hasHappened;
  cancel();
  return await ended;
}

/** Log, summary and outputs of a run. */
export function shownBy({ log, summary, outputs }: ScenarioRun): string {
  return [log, summary, ...Object.values(outputs)].join("\n");
}

/** The environment of a run's post step. */
export function postEnvironment(run: Pick<ScenarioRun, "state">): Record<string, string> {
  return Object.fromEntries(Object.entries(run.state).map(([name, value]) => [`STATE_${name}`, value]));
}

/** A commit's SHA, of one letter. */
export function sha(letter: string): string {
  return letter.repeat(40);
}
