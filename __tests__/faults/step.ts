import { run } from "../../src/run.ts";
import { recordingContext } from "../support/recording-context.ts";
import { type RunOptions, runAction } from "../support/runner/run-action.ts";
import { pushToMain } from "../support/scenario.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { canaries, givenSecrets } from "./canaries.ts";
import type { FaultyProxy } from "./faulty-proxy.ts";
import type { Observation } from "./observation.ts";
import type { Scenario } from "./scenario.ts";
import type { Time, World } from "./world.ts";

/** How long a run may take. */
export interface Limits {
  /** `request_timeout_seconds` */
  readonly request: number;
  /** `timeout_seconds` */
  readonly timeout: number;
}

/** What a step leaves behind. */
export type StepResult = Pick<Observation, "succeeded" | "outputs" | "lines" | "summary" | "state">;

/** A way to run an action, and the time that it lives in. */
export interface Step {
  readonly time: Time;
  readonly run: (scenario: Scenario, world: World, limits: Limits) => Promise<StepResult>;
}

/** Time that tells the proxies whenever the run pauses. */
class WatchedClock extends VirtualClock {
  proxies: readonly FaultyProxy[] = [];

  override async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    for (const proxy of this.proxies) await proxy.pausing();
    await super.sleep(milliseconds, signal);
  }
}

/** The action in this process, in time that passes at once. A revision is `DEPLOYED` after little more than one second. */
export function stepInProcess(): Step {
  const clock = new WatchedClock();
  return {
    time: {
      now: () => clock.now(),
      pass: (seconds) => clock.sleep(seconds * 1000, new AbortController().signal),
      statusSeconds: 0.2,
    },
    async run(scenario, world, limits) {
      const { given, platform, gitHubProxy } = world;
      clock.proxies = [platform, gitHubProxy].filter((proxy) => proxy !== undefined);
      const inputs = Object.entries(inputsOf(scenario, world, limits));
      const env = {
        ...pushToMain,
        ...given.env,
        ...addressesOf(world),
        GITHUB_WORKSPACE: world.workspace,
        ...(given.event && { GITHUB_EVENT_NAME: given.event.name, GITHUB_EVENT_PATH: world.eventPath }),
        ...Object.fromEntries(inputs.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      };
      const context = recordingContext(env, clock);
      const succeeded = await run(scenario.action, scenario.phase ?? "main", context);
      const { outputs, lines, summary, state } = context.recorded;
      return { succeeded, outputs, lines, summary, state };
    },
  };
}

/** The action as the runner starts it, from `dist/`, in real time. */
export const stepFromBundle: Step = {
  time: { now: Date.now, pass: async () => {}, statusSeconds: 0 },
  async run(scenario, world, limits) {
    const { given, workspace, authorityPath } = world;
    const options: RunOptions = {
      action: scenario.action,
      inputs: inputsOf(scenario, world, limits),
      env: { ...given.env, ...addressesOf(world), NODE_EXTRA_CA_CERTS: authorityPath },
      workspace,
      token: canaries.token,
      ...(given.event && { event: given.event }),
    };
    const { conclusion, outputs, log, summary, state } = await runAction(options);
    const annotations = log.annotations.map(({ level, message }) => ({ kind: level, text: message }));
    const printed = log.lines.map((text) => ({ kind: "info", text }));
    return {
      succeeded: conclusion === "success",
      outputs,
      lines: [...annotations, ...printed],
      summary,
      state,
    };
  },
};

/** The inputs of a scenario's step, as under `with:`. */
function inputsOf({ action }: Scenario, world: World, limits: Limits): Record<string, string> {
  const { given, platform, gitHubProxy, emulator } = world;
  const deploys = action === "deploy" || action === "preview";
  return {
    [action === "usage" ? "base_url" : "control_plane_url"]: platform.url,
    ...(action !== "usage" && { workspace_id: emulator.workspaceId }),
    api_key: emulator.apiKey,
    request_timeout_seconds: String(limits.request),
    ...(deploys && { timeout_seconds: String(limits.timeout), secrets: givenSecrets }),
    ...(action === "deploy" && {
      name: "agent",
      integration_id: "integration-1",
      app_config_path: "app/config.json",
    }),
    ...(gitHubProxy && { github_token: canaries.token }),
    ...given.inputs,
  };
}

/** Where a step finds GitHub. */
function addressesOf({ github, gitHubProxy }: World): Record<string, string> {
  if (github === undefined || gitHubProxy === undefined) return {};
  const { GITHUB_SHA: _ofMain, ...env } = github.env;
  return { ...env, GITHUB_API_URL: gitHubProxy.url, GITHUB_GRAPHQL_URL: `${gitHubProxy.url}/graphql` };
}
