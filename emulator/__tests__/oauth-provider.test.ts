import { expect, test } from "@jest/globals";
import * as v from "valibot";
import type { Emulator } from "../index.ts";
import { ProviderSchema } from "../store/oauth-providers.ts";
import { call, violations } from "./support/client.ts";
import { useEmulator, withEmulator } from "./support/emulator.ts";

const emulator = await useEmulator();
const line = "PATCH /v2/auth/providers/local-provider";

async function update(target: Emulator, body: unknown) {
  const response = await call(target, line, body);
  expect(response.status).toBe(200);
  return v.parse(ProviderSchema, response.body);
}

test("an absent field of the provider stays unchanged, and null clears nullable fields alone", () =>
  withEmulator({ now: () => 0 }, async (own) => {
    const before = await update(own, { client_secret: "first" });
    const nulls = ["name", "client_id", "client_secret", "auth_url", "token_url", "uses_pkce"];

    const unchanged = await update(own, {});
    const cleared = await update(own, {
      ...Object.fromEntries(nulls.map((field) => [field, null])),
      code_challenge_method: null,
    });

    expect(before.code_challenge_method).not.toBeNull();
    expect(unchanged).toEqual(before);
    expect(cleared).toEqual({ ...before, code_challenge_method: null });
  }));

test.each([
  [
    "wrong types",
    { name: 1, uses_pkce: "true", client_secret: 12345 },
    ["body.client_secret", "body.name", "body.uses_pkce"],
  ],
  ["unknown fields", { provider_type: "x", scopes: [] }, ["body.provider_type", "body.scopes"]],
  ["a list", [], ["body"]],
  ["broken JSON", "{", ["body"]],
])("an update of the provider with %s gets 422 without any value", async (_, body, places) => {
  const response = await call(emulator, line, body);

  expect(violations(response)).toEqual(places);
  expect(JSON.stringify(response.body)).not.toContain("12345");
});

test("an unknown provider gets 404, and another method 405", async () => {
  expect(await call(emulator, "PATCH /v2/auth/providers/other", {})).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining("other") },
  });
  expect((await call(emulator, "GET /v2/auth/providers/local-provider")).status).toBe(405);
  expect((await call(emulator, "GET /v2/auth/providers")).status).toBe(404);
});

const token = { authorization: "Bearer some-token" };
const key = { "x-api-key": emulator.apiKey };
const workspace = { "x-tenant-id": emulator.workspaceId };

test.each<[string, number, Record<string, string>]>([
  ["a token", 200, token],
  ["a key and a workspace", 200, { ...key, ...workspace }],
  ["all of them", 200, { ...token, ...key, ...workspace }],
  ["nothing", 401, {}],
  ["an empty token", 401, { authorization: "Bearer " }],
  ["a password", 401, { authorization: "Basic some-token" }],
  ["a token and a wrong key", 401, { ...token, "x-api-key": "wrong" }],
  ["a key without a workspace", 403, key],
  ["a token and a wrong workspace", 403, { ...token, "x-tenant-id": "wrong" }],
])("an update of the provider with %s gets %d", async (_what, status, credentials) => {
  const response = await fetch(`${emulator.url}/v2/auth/providers/local-provider`, {
    method: "PATCH",
    headers: { "content-type": "application/json", ...credentials },
    body: "{}",
  });

  expect(response.status).toBe(status);
});
