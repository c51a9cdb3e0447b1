import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { runAction } from "../support/runner/run-action.ts";

jest.setTimeout(60_000);

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

test("a bundled oauth-provider step sends a client secret and shows it nowhere", async () => {
  const secret = "canary client secret\nof two lines";

  const run = await runAction({
    action: "oauth-provider",
    inputs: {
      control_plane_url: `${emulator.url}/api-host/`,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      provider_id: "local-provider",
      client_secret: secret,
    },
    env: { RUNNER_DEBUG: "1" },
  });

  expect(run).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
  expect(emulator.requests.map(({ method, body }) => ({ method, body }))).toEqual([
    { method: "PATCH", body: { client_secret: secret } },
  ]);
  expect(JSON.parse(run.jobOutputs.provider ?? "")).toMatchObject({ id: "local-provider" });
  expect(run.jobOutputs.updated_at).toBe(JSON.parse(run.outputs.provider ?? "").updated_at);
  const shown = [run.stdout.replaceAll(/^::add-mask::.*$/gm, ""), run.summary, JSON.stringify(run.outputs)];
  for (const line of secret.split("\n")) expect(shown.join("\n")).not.toContain(line);
});
