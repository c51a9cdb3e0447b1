import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { runAction } from "../support/runner/run-action.ts";

jest.setTimeout(60_000);

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

test("a client secret is rotated, and shown nowhere", async () => {
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
  const told = [run.stdout.replaceAll(/^::add-mask::.*$/gm, ""), run.summary, JSON.stringify(run.outputs)];
  for (const line of secret.split("\n")) expect(told.join("\n")).not.toContain(line);
});

test("a refused update fails the step, an annotation each", async () => {
  emulator.misbehave({
    kind: "answer",
    status: 422,
    body: {
      detail: ["auth_url", "token_url"].map((name) => ({ loc: ["body", name], msg: "no", type: "x" })),
    },
  });
  const run = await runAction({
    action: "oauth-provider",
    inputs: {
      control_plane_url: emulator.url,
      bearer_token: "token-123456",
      provider_id: "local-provider",
      auth_url: "https://a.example",
      token_url: "https://b.example",
    },
  });
  expect(run.conclusion).toBe("failure");
  expect(run.log.annotations.map(({ level, message }) => ({ level, message }))).toEqual([
    {
      level: "error",
      message: expect.stringMatching(/^body\.auth_url: no\. PATCH .* was answered with 422\. The/),
    },
    {
      level: "error",
      message: expect.stringMatching(/^body\.token_url: no\. PATCH .* was answered with 422\. The/),
    },
  ]);
  expect(run.outputs).toEqual({});
});
