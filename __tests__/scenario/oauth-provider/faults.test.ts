import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { CancelledError } from "../../../src/errors.ts";
import type { Inputs } from "../../support/scenario.ts";
import { startProvider } from "./support.ts";

test.each<[string, RuleInput]>([
  ["a reset", { kind: "reset" }],
  ["a reset after it was done", { kind: "reset", applied: true }],
  ["a cut answer", { kind: "cut" }],
  ["a 500 although it was done", { kind: "answer", applied: true, status: 500 }],
  ["a 429", { kind: "answer", status: 429, headers: { "retry-after": "3" } }],
])("the update is repeated after %s", async (_, rule) => {
  const { update, emulator } = await startProvider();
  emulator.misbehave(rule);
  const run = await update({ name: "Login" });
  expect(run.succeeded).toBe(true);
  expect(run.requests.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  expect(run.requests[1]?.body).toEqual({ name: "Login" });
});

test.each<[string, RuleInput]>([
  ["the connection is always reset", { kind: "reset", match: { times: "always" } }],
  ["the platform stays down", { kind: "answer", status: 503, match: { times: "always" } }],
  ["an answer makes no sense", { kind: "answer", status: 200, body: "<html>", match: { times: "always" } }],
  [
    "an answer is of another shape",
    { kind: "answer", status: 200, body: { ok: true }, match: { times: "always" } },
  ],
  ["an answer is empty", { kind: "answer", status: 204, match: { times: "always" } }],
])("where %s, it fails and says what isn't known", async (_, rule) => {
  const { update, emulator } = await startProvider();
  emulator.misbehave(rule);
  const run = await update({ name: "Login" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/It can't be told whether the update took effect.*does no harm/),
  ]);
  expect(run.outputs).toEqual({});
  expect(run.summary).toContain("## ❌ OAuth provider `local-provider`: failed");
});

describe("an answer about another provider is none", () => {
  async function answeredFor(ids: { id: string; provider_id: string }) {
    const { update, emulator } = await startProvider();
    const provider = JSON.parse((await update({ name: "Login" })).outputs.provider ?? "");
    emulator.misbehave({ kind: "answer", status: 200, body: { ...provider, ...ids } });
    return await update({ name: "Login" });
  }

  test("neither id is the one that was asked for", async () => {
    const run = await answeredFor({ id: "zz", provider_id: "other" });
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([
      expect.stringMatching(/200, but it shows other in place of what was asked for\..*can't be told/),
    ]);
    expect(run.outputs).toEqual({});
  });

  test.each([
    ["the one that the platform gave it, in another case", { id: "zz", provider_id: "LOCAL-Provider" }],
    ["its row's", { id: "local-provider", provider_id: "other" }],
  ])("but one of them may be: %s", async (_, ids) => {
    expect((await answeredFor(ids)).succeeded).toBe(true);
  });
});

test("an answer that is nested without end makes no sense, and is no defect", async () => {
  const { update, emulator } = await startProvider();
  const nested = `{"id": "x", "other": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  emulator.misbehave({ kind: "answer", status: 200, body: nested });
  const run = await update({ name: "Login" });
  expect(run.errors).toEqual([expect.stringMatching(/can't be told whether the update took effect/)]);
});

test("where no connection is made, nothing can have happened", async () => {
  const { update } = await startProvider();
  // Nothing listens there.
  const run = await update({ control_plane_url: "http://127.0.0.1:1", name: "Login" });
  expect(run.errors).toEqual([expect.stringMatching(/ECONNREFUSED.*control_plane_url/)]);
  expect(run.errors[0]).not.toContain("took effect");
});

test.each([
  [400, "client_id is fixed", "inputs"],
  [401, "who?", "Check api_key: it isn't valid"],
  [403, "no", "Check workspace_id, and that api_key may manage"],
  [404, "OAuth provider not found", "provider_id"],
  [409, "taken", "name"],
])("%i is told in the platform's words, with what to look at", async (status, detail, hint) => {
  const { update, emulator } = await startProvider();
  emulator.misbehave({ kind: "answer", status, body: { detail } });
  const run = await update({ name: "Login" });
  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(1);
  expect(run.errors).toEqual([expect.stringContaining(`answered with ${status}: ${detail}`)]);
  expect(run.errors[0]?.split(`: ${detail}`)[1]).toContain(hint);
});

const bearer = { bearer_token: "some-token", api_key: "", workspace_id: "" };
test.each<[string, Inputs, number, string]>([
  [
    "a token alone",
    bearer,
    401,
    "Check bearer_token: it isn't valid on the platform that control_plane_url points to.",
  ],
  ["a token alone", bearer, 403, "Check that bearer_token may manage the organization's OAuth providers."],
  ["a token alone", bearer, 418, "Check control_plane_url, provider_id and bearer_token."],
  [
    "a token and a key",
    { bearer_token: "some-token" },
    401,
    "Check api_key and bearer_token: one of them isn't valid on the platform that control_plane_url points to.",
  ],
  [
    "a token and a key",
    { bearer_token: "some-token" },
    403,
    "Check workspace_id, and that api_key and bearer_token may manage the organization's OAuth providers.",
  ],
  ["a key", {}, 418, "Check control_plane_url, provider_id, workspace_id and api_key."],
])("with %s, %j, the hint after %i names what was given", async (_, inputs, status, hint) => {
  const { update, emulator } = await startProvider();
  emulator.misbehave({ kind: "answer", status, body: { detail: "no" } });
  const run = await update({ name: "Login", ...inputs });
  expect(run.errors[0]?.split(`answered with ${status}: no. `)[1]).toBe(hint);
});

test("each item of a 422 is an annotation: where and what", async () => {
  const { update, emulator } = await startProvider();
  const detail = [
    { loc: ["body", "auth_url"], msg: "not reachable", type: "value_error" },
    {
      loc: ["body", "scopes", 0],
      msg: "unknown\n::error::x",
      type: "value_error",
      input: "new-client-secret",
    },
  ];
  emulator.misbehave({ kind: "answer", status: 422, body: { detail } });
  const run = await update({ name: "Login", client_secret: "new-client-secret" });
  expect(run.succeeded).toBe(false);
  const answered = "PATCH /v2/auth/providers/local-provider was answered with 422.";
  const hint = "The platform refused these fields: check the inputs of the same names.";
  expect(run.errors).toEqual([
    `body.auth_url: not reachable. ${answered} ${hint}`,
    `body.scopes.0: unknown ::error::x. ${answered} ${hint}`,
  ]);
  expect(run.summary).toContain("> - `body.auth_url`: not reachable");
  expect(run.log).not.toContain("new-client-secret");
});

test("a cancel says that the update may have taken effect", async () => {
  const { start, emulator } = await startProvider();
  emulator.misbehave({ kind: "hang", applied: true });
  const { context, ended } = start({ name: "Login" });
  while (emulator.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  context.cancel(new CancelledError("SIGTERM"));
  const run = await ended;
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(
      /^The run was cancelled.*The update of OAuth provider local-provider may have taken effect/,
    ),
  ]);
  expect(run.summary).toContain("cancelled");
});
