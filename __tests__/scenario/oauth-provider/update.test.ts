import { expect, test } from "@jest/globals";
import { startProvider } from "./support.ts";

const path = "/v2/auth/providers/local-provider";

test("only what was given is sent, in one request", async () => {
  const { update } = await startProvider();
  const run = await update({ client_secret: "new-client-secret" });
  expect(run.succeeded).toBe(true);
  expect(run.requests).toHaveLength(1);
  expect(run.requests[0]).toMatchObject({
    method: "PATCH",
    path,
    status: 200,
    body: { client_secret: "new-client-secret" },
  });
  expect(run.requests[0]?.headers).toMatchObject({
    "x-api-key": expect.anything(),
    "x-tenant-id": expect.anything(),
    "content-type": "application/json",
  });
  expect(run.requests[0]?.headers).not.toHaveProperty("authorization");
});

test("everything that can be given is sent as it was given, false too", async () => {
  const { update } = await startProvider();
  const fields = {
    name: "Login",
    client_id: "client",
    client_secret: "new-client-secret",
    auth_url: "https://login.example.org/authorize?prompt=none",
    token_url: "http://login.internal/token",
    code_challenge_method: "plain",
  };
  const run = await update({ ...fields, uses_pkce: "False" });
  expect(run.requests.map(({ body }) => body)).toEqual([{ ...fields, uses_pkce: false }]);
});

test("names in clear are sent as null", async () => {
  const { update } = await startProvider();
  const run = await update({ name: "Login", clear: "code_challenge_method" });
  expect(run.requests.map(({ body }) => body)).toEqual([{ name: "Login", code_challenge_method: null }]);
  expect(run.warnings).toEqual([]);
});

test("the outputs are the platform's answer and when it was changed", async () => {
  const { update } = await startProvider();
  const run = await update({ name: "Login", clear: "code_challenge_method" });
  expect(Object.keys(run.outputs).sort()).toEqual(["provider", "updated_at"]);
  expect(JSON.parse(run.outputs.provider ?? "")).toEqual({
    id: "local-provider",
    organization_id: expect.any(String),
    provider_id: "local-provider",
    name: "Login",
    client_id: "local-client",
    auth_url: "https://auth.example/authorize",
    token_url: "https://auth.example/token",
    uses_pkce: true,
    code_challenge_method: null,
    provider_type: null,
    mcp_server_url: null,
    token_endpoint_auth_method: "client_secret_post",
    is_dynamic_client: false,
    created_at: expect.any(String),
    updated_at: "2026-03-02T09:00:00.000Z",
  });
  expect(run.outputs.updated_at).toBe("2026-03-02T09:00:00.000Z");
});

test("a cleared field that came back set is a warning, in the summary too", async () => {
  const { update } = await startProvider();
  const run = await update({ clear: "client_id,\nuses_pkce,\n\ncode_challenge_method,client_secret" });
  expect(run.succeeded).toBe(true);
  expect(run.warnings).toEqual([
    expect.stringMatching(/^client_id was sent to be cleared, but .*local-client/),
    expect.stringMatching(/^uses_pkce was sent to be cleared, but .*true/),
  ]);
  expect(run.summary).toContain("> [!WARNING]\n> `client_id` was sent to be cleared");
});

test("a field that came back with another value than was sent is a warning, in the summary too", async () => {
  const { update, emulator } = await startProvider();
  const answer = JSON.parse((await update({ name: "Login", uses_pkce: "false" })).outputs.provider ?? "");
  emulator.misbehave({ kind: "answer", status: 200, body: answer });
  const run = await update({
    name: "New",
    uses_pkce: "true",
    client_id: answer.client_id,
    client_secret: "s",
  });
  expect(run.succeeded).toBe(true);
  expect(run.warnings).toEqual([
    expect.stringMatching(/^name was sent, but the platform shows another value for it: Login\./),
    expect.stringMatching(/^uses_pkce was sent, but .*: false\./),
  ]);
  expect(run.summary).toContain("> [!WARNING]\n> `uses_pkce` was sent, but");
});

test("the summary lists the names of what was sent, and no value", async () => {
  const { update } = await startProvider();
  const run = await update({
    client_id: "new-client-id",
    client_secret: "new-client-secret",
    clear: "code_challenge_method",
  });
  expect(run.summary).toContain("| Fields sent with a value | `client_id`, `client_secret` |");
  expect(run.summary).toContain("| Fields sent to be cleared | `code_challenge_method` |");
  expect(run.infos[0]).toBe(
    "Update OAuth provider local-provider: set client_id, client_secret; clear code_challenge_method.",
  );
  for (const told of [run.summary, run.log, JSON.stringify(run.outputs)]) {
    expect(told).not.toContain("new-client-secret");
  }
  expect(run.masks).toContain("new-client-secret");
});

test("a secret that came in empty is not in the list", async () => {
  const { update } = await startProvider();
  const run = await update({ name: "Login", client_secret: "" });
  expect(run.requests.map(({ body }) => body)).toEqual([{ name: "Login" }]);
  expect(run.summary).toContain("| Fields sent with a value | `name` |");
});

test("a bearer token alone will do", async () => {
  const { update } = await startProvider();
  const run = await update({ api_key: "", workspace_id: "", bearer_token: "token-123456", name: "Login" });
  expect(run.succeeded).toBe(true);
  const { headers = {} } = run.requests[0] ?? {};
  expect(headers).toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("x-api-key");
  expect(headers).not.toHaveProperty("x-tenant-id");
  expect(run.masks).toContain("token-123456");
});

test("a bearer token goes with a workspace, with a key, or with both", async () => {
  const { update } = await startProvider();
  const run = await update({ api_key: "", bearer_token: "token-123456", name: "Login" });
  expect(run.succeeded).toBe(true);
  expect(run.requests[0]?.headers).toMatchObject({
    authorization: expect.anything(),
    "x-tenant-id": expect.anything(),
  });
  const keyed = await update({ workspace_id: "", bearer_token: "token-123456", name: "Login" });
  expect(keyed.succeeded).toBe(true);
  expect(keyed.requests[0]?.headers).toMatchObject({
    authorization: expect.anything(),
    "x-api-key": expect.anything(),
  });
  expect(keyed.requests[0]?.headers).not.toHaveProperty("x-tenant-id");
  const all = await update({ bearer_token: "token-123456", name: "Login" });
  expect(all.succeeded).toBe(true);
  expect(all.requests[0]?.headers).toHaveProperty("x-api-key");
});

test("provider_id is one encoded segment of the path", async () => {
  const { update } = await startProvider();
  const run = await update({ provider_id: "a/../b?c#d e", name: "Login" });
  expect(run.succeeded).toBe(false);
  expect(run.requests.map(({ path: asked }) => asked)).toEqual(["/v2/auth/providers/a%2F..%2Fb%3Fc%23d%20e"]);
});

test("a secret that the platform echoes is in no output", async () => {
  const { update, emulator } = await startProvider();
  const answer = JSON.parse((await update({ name: "Login" })).outputs.provider ?? "");
  emulator.misbehave({
    kind: "answer",
    status: 200,
    body: {
      ...answer,
      name: "was new-client-secret",
      client_secret: "new-client-secret",
      more: ["new-client-secret"],
    },
  });
  const run = await update({ client_secret: "new-client-secret" });
  expect(run.succeeded).toBe(true);
  expect(JSON.stringify(run.outputs)).not.toContain("new-client-secret");
  expect(JSON.parse(run.outputs.provider ?? "")).not.toHaveProperty("client_secret");
});
