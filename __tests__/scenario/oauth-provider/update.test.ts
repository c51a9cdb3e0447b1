import { expect, test } from "@jest/globals";
import { startProvider } from "./support.ts";

const path = "/v2/auth/providers/local-provider";

/** The next update gets this response, based on the provider as it is. */
async function respondWith(
  changes: Record<string, unknown>,
  { emulator, update }: Awaited<ReturnType<typeof startProvider>>,
) {
  const provider: Record<string, unknown> = JSON.parse(
    (await update({ name: "Login" })).outputs.provider ?? "",
  );
  emulator.addFault({ kind: "answer", status: 200, body: { ...provider, ...changes } });
}

test("an update sends only the fields that are given, in one request", async () => {
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

test("an update sends null for fields in clear, and its outputs are the response", async () => {
  const { update } = await startProvider();

  const run = await update({ name: "Login", clear: "code_challenge_method" });

  expect(run.requests.map(({ body }) => body)).toEqual([{ name: "Login", code_challenge_method: null }]);
  expect(run.warnings).toEqual([]);
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

test("log and summary of an update name the fields, and show no secret", async () => {
  const { update } = await startProvider();

  const run = await update({
    name: "",
    client_id: "new-client-id",
    client_secret: "new-client-secret",
    clear: "code_challenge_method",
  });

  expect(run.summary).toContain("`client_id`, `client_secret`, `code_challenge_method` (to clear)");
  expect(run.infos[0]).toMatch(
    /local-provider: client_id, client_secret, code_challenge_method \(to clear\)\.$/,
  );
  expect([run.summary, run.log, JSON.stringify(run.outputs)].join()).not.toContain("new-client-secret");
  expect(run.masks).toContain("new-client-secret");
});

test("a secret that the response quotes is in no output", async () => {
  const scenario = await startProvider();
  const secret = "new-client-secret";
  await respondWith({ name: `was ${secret}`, more: [secret] }, scenario);

  const run = await scenario.update({ client_secret: secret });

  expect(run.succeeded).toBe(true);
  expect(JSON.stringify(run.outputs)).not.toContain(secret);
});

test("a client secret that the response shows is in no output", async () => {
  const scenario = await startProvider();
  const stored = "stored-client-secret";
  await respondWith({ client_secret: stored, more: [stored] }, scenario);

  const run = await scenario.update({ name: "Login" });

  expect(run.masks).toContain(stored);
  expect(JSON.stringify(run.outputs)).not.toContain(stored);
});

test("an empty client secret in the response is not masked, of which the runner would warn", async () => {
  const scenario = await startProvider();
  await respondWith({ client_secret: "" }, scenario);

  const run = await scenario.update({ name: "Login" });

  expect(run.succeeded).toBe(true);
  expect(run.masks).not.toContain("");
});

test("a bearer token may be the only credential", async () => {
  const { update } = await startProvider();

  const run = await update({ api_key: "", workspace_id: "", bearer_token: "token-123456", name: "Login" });

  expect(run.succeeded).toBe(true);
  const { headers = {} } = run.requests[0] ?? {};
  expect(headers).toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("x-api-key");
  expect(headers).not.toHaveProperty("x-tenant-id");
  expect(run.masks).toContain("token-123456");
});

test("provider_id is one encoded segment of the path", async () => {
  const { update } = await startProvider();

  const run = await update({ provider_id: "a/../b?c#d", name: "Login" });

  expect(run.succeeded).toBe(false);
  expect(run.requests.map((request) => request.path)).toEqual(["/v2/auth/providers/a%2F..%2Fb%3Fc%23d"]);
});
