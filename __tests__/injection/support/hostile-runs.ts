import { afterAll, beforeAll, expect, jest } from "@jest/globals";
import type { ActionName } from "../../../src/run.ts";
import { expectInert, expectOwnCommands, expectOwnEntries } from "./expectations.ts";
import { type HostileAnswer, type HostilePlatform, startHostilePlatform } from "./hostile-platform.ts";
import { type Step, StepRunner } from "./step.ts";

type Texts = Readonly<Record<string, string>>;

export interface HostileRuns {
  readonly url: string;
  /** Runs an action on the platform, with these inputs and variables beside or in place of the usual ones. */
  run(action: ActionName, inputs?: Texts, env?: Texts): Promise<Step>;
  /** How the platform answers by the request's line, such as `GET /v2/deployments`; 404 to what is left out. */
  serve(byLine: (line: string) => HostileAnswer | undefined): void;
  /** A file for `GITHUB_EVENT_PATH`. */
  eventFile(payload: unknown): string;
}

/** How often a property is tried; `PROPERTY_RUNS=20` tries twenty times as often. */
export function times(runs: number): { numRuns: number } {
  return { numRuns: runs * Number(process.env.PROPERTY_RUNS ?? 1) };
}

const apiKey = "key-of-the-run";

/** A hostile platform, and a process that runs actions on it, for all tests of a file. */
export function hostileRuns(): HostileRuns {
  let platform: HostilePlatform | undefined;
  let steps: StepRunner | undefined;
  jest.setTimeout(60_000 * Number(process.env.PROPERTY_RUNS ?? 1));

  beforeAll(async () => {
    platform = await startHostilePlatform();
    steps = new StepRunner();
  });

  afterAll(async () => {
    await steps?.close();
    await platform?.close();
  });

  const running = () => {
    if (platform === undefined || steps === undefined) throw new Error("the tests haven't begun");
    return { platform, steps };
  };
  return {
    get url() {
      return running().platform.url;
    },
    run: (action, inputs = {}, env = {}) => {
      const given = {
        control_plane_url: running().platform.url,
        api_key: apiKey,
        workspace_id: "workspace",
        integration_id: "integration-1",
        app_config_path: "app/config.json",
        ...(action === "preview" ? {} : { name: "agent" }),
        ...inputs,
      };
      const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
      return running().steps.run(action, { ...pushToMain, ...env, ...Object.fromEntries(variables) });
    },
    serve(byLine) {
      running().platform.answer = (line) => byLine(line) ?? { status: 404, body: { detail: "Not Found" } };
    },
    eventFile: (payload) => running().steps.eventFile(payload),
  };
}

const pushToMain: Texts = {
  GITHUB_EVENT_NAME: "push",
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REF: "refs/heads/main",
  GITHUB_RUN_ID: "42",
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
};

const outputNames = [
  ..."buckets commit_sha created csv_file deleted deployment_id deployment_url duration_seconds".split(" "),
  ..."json_file kept outcome provider revision_id rolled_back_to status stride_days stride_hours".split(" "),
  ..."total_traces updated_at".split(" "),
];

/** What a step printed and wrote does nothing but what the action means; `masks` are the only ones. */
export function expectHarmless(step: Step, masks: readonly string[] | "any" = [apiKey]): void {
  expectOwnCommands(step, masks);
  expectOwnEntries(step, outputNames);
  expect(step.summary).not.toBe("");
  const url = outputsOf(step).deployment_url;
  if (url !== undefined) expect(url).toMatch(/^https?:\/\/[^\s\p{Cc}\p{Cf}\p{DI}]+$/u);
  expectInert(step.summary, url);
}

export function outputsOf(step: Step): Record<string, string> {
  return Object.fromEntries(step.outputs.entries.map(({ name, value }) => [name, value]));
}
