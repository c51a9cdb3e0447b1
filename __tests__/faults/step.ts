import { run } from "../../src/run.ts";
import { recordingContext } from "../support/recording-context.ts";
import { runAction } from "../support/runner/run-action.ts";
import { pushToMain } from "../support/scenario.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import type { FaultyProxy } from "./faulty-proxy.ts";
import type { Observation } from "./observation.ts";
import type { Scenario } from "./scenario.ts";
import { canaries, secretsInput, type TestBed, type Time } from "./test-bed.ts";

/** How long a run may take, in seconds. */
export interface Limits {
  /** `request_timeout_seconds` */
  readonly request: number;
  /** `timeout_seconds` */
  readonly timeout: number;
}

export type StepResult = Pick<Observation, "succeeded" | "outputs" | "lines" | "summary" | "state">;

/** A way to run an action, and the time that it runs in. */
export interface Step {
  readonly time: Time;
  readonly run: (scenario: Scenario, bed: TestBed, limits: Limits) => Promise<StepResult>;
}

/** Notifies the proxies of each delay of the run. */
class ObservedClock extends VirtualClock {
  proxies: readonly FaultyProxy[] = [];

  override async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    for (const proxy of this.proxies) await proxy.onDelay();
    await super.sleep(milliseconds, signal);
  }
}

/** The action in this process, on virtual time. A revision is `DEPLOYED` after little more than one second. */
export function stepInProcess(): Step {
  const clock = new ObservedClock();
  return {
    time: {
      now: () => clock.now(),
      pass: (seconds) => clock.sleep(seconds * 1000, new AbortController().signal),
      statusSeconds: 0.2,
    },
    async run(scenario, bed, limits) {
      const { options, platform, gitHubProxy, files } = bed;
      clock.proxies = [platform, gitHubProxy].filter((proxy) => proxy !== undefined);
      const inputs = Object.entries(inputsOf(scenario, bed, limits));
      const env = {
        ...pushToMain,
        ...options.env,
        ...gitHubAddresses(bed),
        GITHUB_WORKSPACE: files.workspace,
        ...(options.event && { GITHUB_EVENT_NAME: options.event.name, GITHUB_EVENT_PATH: files.eventPath }),
        ...Object.fromEntries(inputs.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      };
      const context = recordingContext(env, clock);
      const succeeded = await run(scenario.action, scenario.phase ?? "main", context);
      const { outputs, lines, summary, state } = context.recorded;
      return { succeeded, outputs, lines, summary, state };
    },
  };
}

/** The action from `dist/`, as the runner starts it, in real time. */
export const stepFromBundle: Step = {
  time: { now: Date.now, pass: async () => {}, statusSeconds: 0 },
  async run(scenario, bed, limits) {
    const { options, files } = bed;
    const { conclusion, outputs, log, summary, state } = await runAction({
      action: scenario.action,
      inputs: inputsOf(scenario, bed, limits),
      env: { ...options.env, ...gitHubAddresses(bed), NODE_EXTRA_CA_CERTS: files.authorityPath },
      workspace: files.workspace,
      token: canaries.token,
      ...(options.event && { event: options.event }),
    });
    const annotations = log.annotations.map(({ level, message }) => ({ kind: level, text: message }));
    const printed = log.lines.map((text) => ({ kind: "info", text }));
    const succeeded = conclusion === "success";
    return { succeeded, outputs, lines: [...annotations, ...printed], summary, state };
  },
};

function inputsOf({ action }: Scenario, bed: TestBed, limits: Limits): Record<string, string> {
  const { options, platform, gitHubProxy, emulator } = bed;
  const deploys = action === "deploy" || action === "preview";
  return {
    ...(action === "usage"
      ? { base_url: platform.url }
      : { control_plane_url: platform.url, workspace_id: emulator.workspaceId }),
    api_key: emulator.apiKey,
    request_timeout_seconds: String(limits.request),
    ...((deploys || action === "rollback") && { timeout_seconds: String(limits.timeout) }),
    ...(deploys && { secrets: secretsInput }),
    ...(action === "deploy" && {
      name: "agent",
      integration_id: "integration-1",
      app_config_path: "app/config.json",
    }),
    ...(gitHubProxy && { github_token: canaries.token }),
    ...options.inputs,
  };
}

function gitHubAddresses({ github, gitHubProxy }: TestBed): Record<string, string> {
  if (github === undefined || gitHubProxy === undefined) return {};
  const { GITHUB_SHA: _ofMain, ...env } = github.env;
  return { ...env, GITHUB_API_URL: gitHubProxy.url, GITHUB_GRAPHQL_URL: `${gitHubProxy.url}/graphql` };
}
