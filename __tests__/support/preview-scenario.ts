import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server.ts";
import type { ActionName, Phase } from "../../src/run.ts";
import {
  type GitHubOptions,
  type GitHubRequest,
  type GitHubStandIn,
  startGitHub,
} from "./github/github-stand-in.ts";
import type { NewPullRequest, PullRequest } from "./github/pull-requests.ts";
import { type RecordingContext, recordingContext } from "./recording-context.ts";
import { defaultToken } from "./runner/run-action.ts";
import { pushEvent, type WorkflowEvent } from "./runner/step-environment.ts";
import { type DeployRun, finish, type Inputs, pushToMain } from "./scenario.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a run left behind, on GitHub too. */
export interface RecordedRun extends DeployRun {
  /** What the `post:` step finds as `STATE_<name>`. */
  readonly state: Readonly<Record<string, string>>;
  /** What GitHub was asked during the run. */
  readonly github: readonly GitHubRequest[];
}

export interface StartedRun {
  readonly context: RecordingContext;
  readonly ended: Promise<RecordedRun>;
}

export interface RunOptions {
  /** Beside or in place of the ones that reach both servers. */
  readonly inputs?: Inputs;
  readonly env?: Inputs;
  /** A push to main unless told. */
  readonly event?: WorkflowEvent;
  readonly phase?: Phase;
}

export interface PreviewOptions extends RunOptions {
  /** 7 unless told. */
  readonly number?: number;
  /** For `labeled` and `unlabeled`. */
  readonly label?: string;
}

export interface PreviewScenario {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly clock: VirtualClock;
  /** Opens a pull request, number 7 unless told. */
  open(given?: NewPullRequest): PullRequest;
  /** A push to a pull request. */
  push(sha: string, number?: number): void;
  shut(number?: number): void;
  /** Runs the preview action for an event of a pull request, as it is now. */
  preview(action: string, options?: PreviewOptions): Promise<RecordedRun>;
  startPreview(action: string, options?: PreviewOptions): StartedRun;
  run(action: ActionName, options?: RunOptions): Promise<RecordedRun>;
  start(action: ActionName, options?: RunOptions): StartedRun;
  /** Resolves as soon as this is true. */
  until(isTrue: () => boolean): Promise<void>;
  pass(seconds: number): Promise<void>;
}

/** The default name of pull request 7's preview. */
export const previewOf7 = "octo-repo-pr-7";
export const taskOf7 = `preview:${previewOf7}`;

/** What a step needs to create a deployment of the repository. */
export const repositoryInputs: Inputs = {
  integration_id: "integration-1",
  app_config_path: "app/config.json",
};

interface Opened {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly folder: string;
}

const opened: Opened[] = [];

/** Every request that was sent to GitHub has to be one that GitHub describes. */
afterEach(async () => {
  const violations: string[] = [];
  for (const { emulator, github, folder } of opened.splice(0)) {
    violations.push(...github.violations);
    await emulator.close();
    await github.close();
    rmSync(folder, { recursive: true });
  }
  expect(violations).toEqual([]);
});

/**
 * A control plane and a GitHub on one virtual time, and actions in this process that talk to both over real HTTP.
 * Each pending status lasts five seconds.
 */
export async function startPreviewScenario(
  options: { emulator?: EmulatorOptions; github?: GitHubOptions } = {},
): Promise<PreviewScenario> {
  const clock = new VirtualClock();
  const now = () => clock.now();
  const emulator = await startEmulator({ now, statusSeconds: 5, ...options.emulator });
  const github = await startGitHub({ now, files: { "app/config.json": "{}" }, ...options.github });
  const folder = mkdtempSync(join(tmpdir(), "preview-scenario-"));
  opened.push({ emulator, github, folder });
  let events = 0;

  function start(action: ActionName, { inputs, env, event = pushEvent, phase = "main" }: RunOptions = {}) {
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
        ...(action === "preview" || action === "deploy" ? repositoryInputs : {}),
        ...inputs,
      }),
    };
    const context = recordingContext(variables, clock);
    const before = github.requests.length;
    const ended = finish(context, emulator, clock, action, phase).then((run) => ({
      ...run,
      state: context.recorded.state,
      github: github.requests.slice(before),
    }));
    return { context, ended };
  }

  function startPreview(action: string, { number = 7, label, env, ...rest }: PreviewOptions = {}) {
    const { event, env: own } = github.pullRequestRun(number, action, label);
    const branch = github.pullRequests.find(number)?.branch ?? "";
    const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: branch };
    return start("preview", { event, env: { ...own, ...refs, ...env }, ...rest });
  }

  return {
    emulator,
    github,
    clock,
    open: (given) => github.pullRequests.open({ number: 7, ...given }),
    push: (sha, number = 7) => void github.pullRequests.change(number, { sha }),
    shut: (number = 7) => void github.pullRequests.change(number, { state: "closed" }),
    start,
    startPreview,
    run: (action, given) => start(action, given).ended,
    preview: (action, given) => startPreview(action, given).ended,
    until: async (isTrue) => {
      while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    pass: (seconds) => clock.sleep(seconds * 1000, new AbortController().signal),
  };
}

function inputVariables(inputs: Inputs): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

/** The environment of the `post:` step of a run. */
export function postEnvironment(run: Pick<RecordedRun, "state">): Record<string, string> {
  return Object.fromEntries(Object.entries(run.state).map(([name, value]) => [`STATE_${name}`, value]));
}

/** A SHA of one letter. */
export function sha(letter: string): string {
  return letter.repeat(40);
}
