import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as macrotask } from "node:timers/promises";
import { afterEach, expect } from "@jest/globals";
import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { CancelledError } from "../../src/errors.ts";
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
import { inputVariables, pushEvent, type WorkflowEvent } from "./runner/step-environment.ts";
import {
  type DeployRun,
  finish,
  type Inputs,
  langsmith,
  passTimeDuringRequestsTo,
  pushToMain,
  scenarioClock,
  startEmulatorOn,
} from "./scenario.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What a run left behind, and its requests to GitHub. */
export interface RecordedRun extends DeployRun {
  /** What the post step finds as `STATE_<name>`. */
  readonly state: Readonly<Record<string, string>>;
  /** Those that GitHub got during the run. */
  readonly github: readonly GitHubRequest[];
}

/** A run that is not over. */
export interface StartedRun {
  readonly context: RecordingContext;
  readonly ended: Promise<RecordedRun>;
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

export interface PreviewScenario {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly clock: VirtualClock;
  /** Opens a pull request, by default number 7. */
  open(given?: NewPullRequest): PullRequest;
  /** Pushes a commit to a pull request. */
  push(sha: string, number?: number): void;
  /** Closes a pull request without merging it. */
  shut(number?: number): void;
  /** Runs the preview action for an event of a pull request as it is now. */
  preview(action: string, options?: PreviewOptions): Promise<RecordedRun>;
  startPreview(action: string, options?: PreviewOptions): StartedRun;
  /** Deploys and previews get the inputs that the platform needs to create a deployment of the repository. */
  run(action: ActionName, options?: RunOptions): Promise<RecordedRun>;
  start(action: ActionName, options?: RunOptions): StartedRun;
  /** Resolves as soon as this is true. */
  until(isTrue: () => boolean): Promise<void>;
  /** Lets virtual time pass. */
  pass(seconds: number): Promise<void>;
}

/** The options with which each revision is live at once. */
export const immediate = { emulator: { statusSeconds: 0 } };

/** The default name of pull request 7's preview, and the task of its records. */
export const previewOf7 = "octo-repo-7739a-pr-7";
export const taskOf7 = `preview:${previewOf7}`;

/** The inputs that create a deployment of the repository on the standard platform. */
export const repositoryInputs: Inputs = {
  integration_id: "integration-1",
  app_config_path: "app/config.json",
};

interface Opened {
  readonly github: GitHubStandIn;
  readonly folder: string;
}

export interface ScenarioOptions {
  readonly emulator?: EmulatorOptions;
  readonly github?: GitHubOptions;
  /** Time does not stand still while a request to GitHub is in flight. */
  readonly passesTimeInGitHub?: boolean;
}

const opened: Opened[] = [];

/** Every request to GitHub must be one that GitHub describes. */
afterEach(async () => {
  const violations: string[] = [];
  for (const { github, folder } of opened.splice(0)) {
    violations.push(...github.violations);
    await github.close();
    rmSync(folder, { recursive: true });
  }
  expect(violations).toEqual([]);
});

/**
 * A control plane and a GitHub on one virtual time, and actions in this process that talk to both over real HTTP. Each
 * pending status lasts five seconds.
 */
export async function startPreviewScenario(options: ScenarioOptions = {}): Promise<PreviewScenario> {
  const clock = scenarioClock();
  const emulator = await startEmulatorOn(clock, { statusSeconds: 5, ...options.emulator });
  const files = { "app/config.json": "{}", "langgraph.json": "{}" };
  const github = await startGitHub({ now: () => clock.now(), files, ...options.github });
  const usual = options.emulator?.platform === "langsmith" ? langsmith : repositoryInputs;
  if (options.passesTimeInGitHub) passTimeDuringRequestsTo(github.url);
  const folder = mkdtempSync(join(tmpdir(), "preview-scenario-"));
  const own: Opened = { github, folder };
  opened.push(own);
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
    const before = github.requests.length;
    const ended = finish({ context, emulator, clock, action, phase }).then((run) => ({
      ...run,
      state: context.recorded.state,
      github: github.requests.slice(before),
    }));
    return { context, ended, cancel: () => context.cancel(new CancelledError("SIGINT")) };
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
      while (!isTrue()) {
        if (!opened.includes(own)) throw new Error("The test ended before this was true");
        await macrotask();
      }
    },
    pass: (seconds) => clock.sleep(seconds * 1000, new AbortController().signal),
  };
}

/** The environment of a run's post step. */
export function postEnvironment(run: Pick<RecordedRun, "state">): Record<string, string> {
  return Object.fromEntries(Object.entries(run.state).map(([name, value]) => [`STATE_${name}`, value]));
}

/** A commit's SHA, of one letter. */
export function sha(letter: string): string {
  return letter.repeat(40);
}
