import { expect, test } from "@jest/globals";
import type { Inputs } from "../../support/scenario.ts";
import { startProvider } from "./support.ts";

test("everything that is wrong is told at once, an annotation each, before the first request", async () => {
  const { update, emulator } = await startProvider();
  const run = await update({
    control_plane_url: "ftp://x",
    workspace_id: "",
    provider_id: "..",
    auth_url: "login.example.org",
    token_url: "https://",
    uses_pkce: "perhaps",
    name: "Login",
    clear: "name, secret, code_challenge_method",
    request_timeout_seconds: "-1",
  });
  expect(run.succeeded).toBe(false);
  expect(emulator.requests).toEqual([]);
  expect(run.errors.map((text) => /^Input (\w+) /.exec(text)?.[1]).sort()).toEqual([
    "auth_url",
    "clear",
    "control_plane_url",
    "name",
    "provider_id",
    "request_timeout_seconds",
    "token_url",
    "uses_pkce",
    "workspace_id",
  ]);
  expect(run.summary).toContain("## ❌ OAuth provider: failed");
  expect(run.outputs).toEqual({});
});

test.each<[string, Inputs, RegExp]>([
  ["nothing given", {}, /^Input clear or a field \(name, client_id, .*\) has to be given/],
  ["only empty ones given", { client_secret: " \n", clear: " ,\n" }, /^Input clear or a field/],
  [
    "given and cleared",
    { client_id: "x", clear: "client_id" },
    /^Input client_id is given and named in the input clear/,
  ],
  [
    "an unknown name in clear",
    { clear: "clientid" },
    /^Input clear holds "clientid", which is none of name, /,
  ],
  [
    "a URL with a blank",
    { auth_url: "https://a.example/b c" },
    /^Input auth_url has to be an address that starts with https:\/\/ or http:\/\/ and holds no blank\. /,
  ],
  ["a URL of another kind", { token_url: "javascript:alert(1)" }, /^Input token_url has to be an address/],
  ["no provider", { provider_id: "", name: "x" }, /^Input provider_id has to be given/],
  ["a dot for a provider", { provider_id: ".", name: "x" }, /^Input provider_id can't be "\." or "\.\."/],
  [
    "a key without its workspace",
    { workspace_id: "", name: "x" },
    /^Input workspace_id has to be given, or bearer_token/,
  ],
  [
    "a workspace without a key",
    { api_key: "", name: "x" },
    /^Input api_key has to be given, or bearer_token/,
  ],
  [
    "a token with its scheme",
    { bearer_token: "Bearer token", name: "x" },
    /^Input bearer_token holds a blank/,
  ],
])("%s is refused", async (_, inputs, words) => {
  const { update, emulator } = await startProvider();
  const run = await update(inputs);
  expect(run.errors).toEqual([expect.stringMatching(words)]);
  expect(emulator.requests).toEqual([]);
});
