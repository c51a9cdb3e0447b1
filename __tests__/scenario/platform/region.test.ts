import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { RequestError } from "../../../src/http/request-error.ts";
import { updateProvider } from "../../../src/oauth-provider/provider-client.ts";
import { ControlPlane } from "../../../src/platform/control-plane.ts";
import type { RegionName } from "../../../src/platform/regions.ts";
import { standard } from "../../../src/platform/standard.ts";
import { type ActionName, run } from "../../../src/run.ts";
import { rawText } from "../../../src/text/message.ts";
import { readReport } from "../../../src/usage/usage-client.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { inputVariables } from "../../support/runner/step-environment.ts";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { deploymentId } from "../../unit/support/wire.ts";

const workspace = "00000000-0000-4000-8000-000000000000";

/** The notices of an action that is cancelled before it sends anything to the platform's own host. */
async function noticesOf(action: ActionName, inputs: Inputs): Promise<string[]> {
  const given = { platform: "langsmith", api_key: "key-123456", ...inputs };
  const env = { GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_REF: "refs/heads/main" };
  const context = recordingContext({ ...env, ...inputVariables(given) });
  context.cancel(new CancelledError("SIGINT"));
  expect(await run(action, "main", context)).toBe(false);
  const texts = (kind: string) =>
    context.recorded.lines.filter((line) => line.kind === kind).map(({ text }) => text);
  expect(texts("error")).toEqual([expect.stringContaining("cancelled")]);
  return texts("notice");
}

test.each<[ActionName, Inputs, string]>([
  ["deploy", { workspace_id: workspace, name: "agent" }, "https://api.host.langchain.com"],
  ["delete", { workspace_id: workspace, name: "agent" }, "https://api.host.langchain.com"],
  ["usage", { workspace_ids: workspace }, "https://api.smith.langchain.com"],
  [
    "oauth-provider",
    { workspace_id: workspace, provider_id: "p", name: "x" },
    "https://api.host.langchain.com",
  ],
])(
  "%s without region and URL has a notice that names the region us and its host",
  async (action, inputs, host) => {
    const [notice, ...others] = await noticesOf(action, inputs);

    expect(notice).toContain("region us");
    expect(notice).toContain(host);
    expect(others).toEqual([]);
    expect(await noticesOf(action, { ...inputs, region: "us" })).toEqual([]);
  },
);

test("a region alone means platform langsmith, with its rules", async () => {
  const { start } = await startScenario();
  const inputs = { control_plane_url: "", region: "eu", name: "agent", secrets: "LOG_JSON=true" };

  const run = await start("deploy", { inputs }).ended;

  expect(run.errors).toEqual([expect.stringContaining("Input secrets")]);
});

interface Address {
  readonly url: URL;
  readonly region?: RegionName;
}

/** What asks, and the input that names its URL. */
type Api = readonly [string, string, (address: Address, context: RecordingContext) => Promise<unknown>];

const access = { apiKey: "wrong", workspaceId: "some-workspace", requestTimeoutMs: 5000 };
const query = { start: 0, end: 1, workspaceIds: [], groupBy: "workspace" } as const;
const noFiles = { jsonFile: undefined, csvFile: undefined, maxTraces: undefined };
const update = { providerId: "x", request: {}, headers: { "x-api-key": "wrong" }, requestTimeoutMs: 5000 };
const requests: readonly Api[] = [
  [
    "the control plane",
    "control_plane_url",
    (address, context) =>
      new ControlPlane({ platform: standard, ...access, ...address }, context, 0).getDeployment(
        deploymentId("x"),
      ),
  ],
  [
    "the usage API",
    "base_url",
    (address, context) => {
      const inputs = { ...query, ...noFiles, region: undefined, apiKey: "wrong", timeoutMs: 5000 };
      return readReport({ ...inputs, ...address }, context);
    },
  ],
  [
    "OAuth providers",
    "control_plane_url",
    (address, context) => updateProvider({ ...update, region: undefined, ...address }, context, () => false),
  ],
];

test.each(requests)(
  "a key that %s refuses may belong to another region, if a region chose the host",
  async (_api, urlInput, request) => {
    const { emulator } = await startScenario();
    const hintFor = async (status: number, region?: RegionName): Promise<string> => {
      emulator.addFault({ kind: "answer", status, body: { detail: "no" } });
      const address = { url: new URL(emulator.url), ...(region !== undefined && { region }) };
      const error: unknown = await request(address, recordingContext({})).catch((thrown: unknown) => thrown);
      if (error instanceof RequestError) return rawText(error.ending.hint);
      throw error;
    };

    for (const status of [401, 403]) {
      expect(await hintFor(status, "us")).toMatch(new RegExp(`${urlInput}.*region us`));
      expect(await hintFor(status)).not.toContain("region us");
    }
    expect(await hintFor(422, "us")).not.toContain("region");
  },
);
