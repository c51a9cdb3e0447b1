import { describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../../emulator/server.ts";
import { CancelledError } from "../../../src/errors.ts";
import { ResponseError } from "../../../src/http/response-error.ts";
import { updateProvider } from "../../../src/oauth-provider/client.ts";
import { ControlPlane } from "../../../src/platform/control-plane.ts";
import { platforms, standard } from "../../../src/platform/platforms.ts";
import { type ActionName, run } from "../../../src/run.ts";
import { UsageApi } from "../../../src/usage/client.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { startScenario } from "../../support/scenario.ts";

/** The notices of an action on the platform's own host, which is cancelled before its first request. */
async function noticesOf(action: ActionName, inputs: Readonly<Record<string, string>>): Promise<string[]> {
  const given = { platform: "langsmith", api_key: "key-123456", ...inputs };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const env = { GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_REF: "refs/heads/main" };
  const context = recordingContext({ ...env, ...Object.fromEntries(variables) });
  context.cancel(new CancelledError("SIGINT"));
  expect(await run(action, "main", context)).toBe(false);
  const { lines } = context.recorded;
  expect(lines.filter(({ kind }) => kind === "error")).toEqual([
    { kind: "error", text: expect.stringContaining("The run was cancelled") },
  ]);
  return lines.filter(({ kind }) => kind === "notice").map(({ text }) => text);
}

const workspace = "00000000-0000-4000-8000-000000000000";

describe("where neither region nor address is given, a notice names the region and its host:", () => {
  test.each<[ActionName, Record<string, string>, string]>([
    ["deploy", { workspace_id: workspace, name: "agent" }, "https://api.host.langchain.com"],
    ["delete", { workspace_id: workspace, name: "agent" }, "https://api.host.langchain.com"],
    ["usage", { workspace_ids: workspace }, "https://api.smith.langchain.com"],
    [
      "oauth-provider",
      { workspace_id: workspace, provider_id: "p", name: "x" },
      "https://api.host.langchain.com",
    ],
  ])("%s", async (action, inputs, host) => {
    expect(await noticesOf(action, inputs)).toEqual([expect.stringContaining(`region us is used (${host})`)]);
    expect(await noticesOf(action, { ...inputs, region: "us" })).toEqual([]);
  });
});

type Call = (settings: { url: URL; region?: string }, context: RecordingContext) => Promise<unknown>;

const patience = { attempts: 1, until: 0 };
const headers = { "x-api-key": "wrong" };
const calls: readonly [string, string, Call][] = [
  [
    "the control plane",
    "control_plane_url",
    (settings, context) =>
      new ControlPlane(
        { platform: platforms.langsmith ?? standard, headers, requestTimeoutMs: 5000, ...settings },
        context,
        patience,
      ).getDeployment("x"),
  ],
  [
    "the usage API",
    "base_url",
    (settings, context) =>
      new UsageApi({ apiKey: "wrong", timeoutMs: 5000, ...settings }, context).report(
        { start: 0, end: 1, workspaceIds: [], groupBy: "workspace" },
        (send) => send(async () => {}),
      ),
  ],
  [
    "an OAuth provider",
    "control_plane_url",
    (settings, context) =>
      updateProvider({ id: "x", request: {} }, { headers, requestTimeoutMs: 5000, ...settings }, context),
  ],
];

/** The hint of a refusal with this status. */
async function hintOf(call: Call, status: number, region: string | undefined, emulator: Emulator) {
  emulator.misbehave({ kind: "answer", status, body: { detail: "no" } });
  const place = { url: new URL(emulator.url), ...(region !== undefined && { region }) };
  const error: unknown = await call(place, recordingContext({})).catch((thrown: unknown) => thrown);
  if (error instanceof ResponseError) return error.hint;
  throw error;
}

describe.each(calls)("a key or workspace that %s refuses", (_api, urlInput, call) => {
  test.each([401, 403])("with %d may be another region's, where a region chose the host", async (status) => {
    const { emulator } = await startScenario();
    const hint = await hintOf(call, status, "us", emulator);
    expect(hint).toMatch(/^(Check|The key)/);
    expect(hint).toContain(`As ${urlInput} isn't given, the host is that of region us: set region`);
    expect(await hintOf(call, status, undefined, emulator)).not.toContain("region us");
  });
});

test("another refusal has nothing to do with the region", async () => {
  const { emulator } = await startScenario();
  for (const [, , call] of calls) expect(await hintOf(call, 422, "us", emulator)).not.toContain("region");
});
