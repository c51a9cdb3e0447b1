import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { type Emulator, startEmulator } from "../../emulator/server.ts";
import { ProviderSchema } from "../../src/oauth-provider/schemas.ts";
import { call, complaints, withEmulator } from "./support/client.ts";
import { withTemporaryFolder } from "./support/temporary-folder.ts";

const LINE = "PATCH /v2/auth/providers/local-provider";

async function update(emulator: Emulator, body: unknown) {
  const answer = await call(emulator, LINE, body);
  expect(answer.status).toBe(200);
  return v.parse(ProviderSchema, answer.body);
}

test("an update answers with the whole provider", () => {
  let now = Date.parse("2026-03-02T09:00:00Z");
  return withEmulator({ now: () => now }, async (emulator) => {
    now += 60_000;
    const answer = await call(emulator, `${LINE}`, {
      name: "New name",
      client_id: "new-client",
      client_secret: "canary-secret",
      auth_url: "https://login.example.org/authorize",
      token_url: "https://login.example.org/token",
      uses_pkce: false,
      code_challenge_method: "plain",
    });
    // platform-api, "OAuth provider": every field, and no client_secret.
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      id: "local-provider",
      organization_id: expect.any(String),
      provider_id: "local-provider",
      name: "New name",
      client_id: "new-client",
      auth_url: "https://login.example.org/authorize",
      token_url: "https://login.example.org/token",
      uses_pkce: false,
      code_challenge_method: "plain",
      provider_type: null,
      mcp_server_url: null,
      token_endpoint_auth_method: "client_secret_post",
      is_dynamic_client: false,
      created_at: "2026-03-02T09:00:00.000Z",
      updated_at: "2026-03-02T09:01:00.000Z",
    });
    expect((await call(emulator, `PATCH /api-host/v2/auth/providers/local-provider`, {})).body).toMatchObject(
      {
        name: "New name",
      },
    );
  });
});

test("what is left out stays; null clears what may be null and leaves the rest", () =>
  withEmulator({ now: () => 0 }, async (emulator) => {
    const before = await update(emulator, { client_secret: "first" });
    expect(before.code_challenge_method).not.toBeNull();
    expect(await update(emulator, {})).toEqual(before);
    expect(
      await update(emulator, {
        name: null,
        client_id: null,
        client_secret: null,
        auth_url: null,
        token_url: null,
        uses_pkce: null,
        code_challenge_method: null,
      }),
    ).toEqual({ ...before, code_challenge_method: null });
  }));

test("a provider outlives a restart, its secret only as a hash", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    const first = await startEmulator({ dataFile });
    const provider = await update(first, { name: "Kept name", client_secret: "canary-secret" });
    await first.close();
    const bytes = await readFile(dataFile);
    expect(bytes.includes("Kept name")).toBe(true);
    expect(bytes.includes("canary-secret")).toBe(false);

    const second = await startEmulator({ dataFile });
    expect(await update(second, {})).toMatchObject({ name: "Kept name", created_at: provider.created_at });
    await second.close();
  }));

test.each([
  [
    "wrong types",
    { name: 1, uses_pkce: "true", client_secret: 12345 },
    ["body.client_secret", "body.name", "body.uses_pkce"],
  ],
  ["unknown fields", { provider_type: "x", scopes: [] }, ["body.provider_type", "body.scopes"]],
  ["no object", [], ["body"]],
  ["no JSON", "{", ["body"]],
])("%s answer 422", (_, body, places) =>
  withEmulator({}, async (emulator) => {
    const answer = await call(emulator, LINE, body);
    expect(complaints(answer)).toEqual(places);
    expect(JSON.stringify(answer.body)).not.toContain("12345");
  }),
);

test("an unknown provider answers 404, another method 405", () =>
  withEmulator({}, async (emulator) => {
    expect(await call(emulator, "PATCH /v2/auth/providers/other", {})).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("other") },
    });
    expect((await call(emulator, "GET /v2/auth/providers/local-provider")).status).toBe(405);
    expect((await call(emulator, "GET /v2/auth/providers")).status).toBe(404);
  }));

test.each([
  [{ authorization: "Bearer some-token" }, 200],
  [{ "x-api-key": "KEY", "x-tenant-id": "WORKSPACE" }, 200],
  [{ authorization: "Bearer some-token", "x-api-key": "KEY", "x-tenant-id": "WORKSPACE" }, 200],
  [{}, 401],
  [{ authorization: "Bearer " }, 401],
  [{ authorization: "Basic some-token" }, 401],
  [{ authorization: "Bearer some-token", "x-api-key": "wrong" }, 401],
  [{ "x-api-key": "KEY" }, 403],
  [{ authorization: "Bearer some-token", "x-tenant-id": "wrong" }, 403],
])("with the headers %j it answers %d", (given, status) =>
  withEmulator({}, async (emulator) => {
    const headers = Object.entries({ "content-type": "application/json", ...given }).map(([name, value]) => [
      name,
      value.replace("KEY", emulator.apiKey).replace("WORKSPACE", emulator.workspaceId),
    ]);
    const response = await fetch(`${emulator.url}/v2/auth/providers/local-provider`, {
      method: "PATCH",
      headers: Object.fromEntries(headers),
      body: "{}",
    });
    expect(response.status).toBe(status);
  }),
);
