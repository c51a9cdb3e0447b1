import { setImmediate as macrotask } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { CancelledError } from "../../../src/errors.ts";
import { answer } from "../../support/faults.ts";
import { startProvider } from "./support.ts";

test.each<[string, FaultRule]>([
  ["a reset", { kind: "reset" }],
  ["a reset after it took effect", { kind: "reset", applied: true }],
  ["a response that is cut", { kind: "cut" }],
  ["a 500 after it took effect", { kind: "answer", applied: true, status: 500 }],
  ["a 429", { kind: "answer", status: 429, headers: { "retry-after": "3" } }],
])("an update of a provider is retried after %s", async (_, fault) => {
  const { update, emulator } = await startProvider();
  emulator.addFault(fault);

  const run = await update({ name: "Login" });

  expect(run.succeeded).toBe(true);
  expect(run.requests.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  expect(run.requests[1]?.body).toEqual({ name: "Login" });
});

const always = { times: "always" } as const;
const provider = {
  id: "zz",
  organization_id: "o",
  name: "Login",
  client_id: "c",
  auth_url: "a",
  token_url: "t",
};
const others = { uses_pkce: true, code_challenge_method: null, created_at: "", updated_at: "" };

test("a provider whose fields end within a sequence for terminals is an output of JSON", async () => {
  const { update, emulator } = await startProvider();
  const fields = { client_id: "c\u009b", auth_url: "a\\u001b[", token_url: "t" };
  const body = { ...provider, ...others, ...fields, id: "local-provider", provider_id: "p" };
  emulator.addFault(answer(always, 200, { body }));

  const run = await update({ name: "Login" });

  expect(run.succeeded).toBe(true);
  expect(JSON.parse(run.outputs.provider ?? "")).toMatchObject({ client_id: "c", token_url: "t" });
});

test.each<[string, FaultRule]>([
  ["every connection is reset", { kind: "reset", match: always }],
  ["the platform stays down", answer(always, 503)],
  ["the response is HTML", { kind: "answer", status: 200, body: "<html>" }],
  ["the response has another shape", { kind: "answer", status: 200, body: { ok: true } }],
  ["the response is empty", { kind: "answer", status: 204 }],
])("an update of a provider is unconfirmed if %s", async (_, fault) => {
  const { update, emulator } = await startProvider();
  emulator.addFault(fault);

  const run = await update({ name: "Login" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(
      /Could not confirm whether the update of .* succeeded.*Running this job again is safe/,
    ),
  ]);
  expect(run.outputs).toEqual({});
  expect(run.summary).toContain("## ❌ OAuth provider: failed");
});

test.each([404, 409])(
  "an update of a provider is unconfirmed if it is refused (%i) after a lost response",
  async (status) => {
    const { update, emulator } = await startProvider();
    emulator.addFault({ kind: "reset", applied: true });
    emulator.addFault(answer({ from: 2 }, status, { body: { detail: "locked" } }));

    const run = await update({ name: "Login" });

    expect(run.requests).toHaveLength(2);
    expect(run.errors).toEqual([
      expect.stringMatching(
        /locked.*Could not confirm whether the update of OAuth provider local-provider succeeded/,
      ),
    ]);
  },
);

test("an update of a provider surely had no effect if there was no connection", async () => {
  const { update } = await startProvider();

  // Nothing listens on this port.
  const run = await update({ control_plane_url: "http://127.0.0.1:1", name: "Login" });

  expect(run.errors).toEqual([expect.stringMatching(/ECONNREFUSED.*control_plane_url/)]);
  expect(run.errors[0]).not.toContain("Could not confirm");
});

test.each([
  [400, "client_id is fixed", "inputs"],
  [404, "OAuth provider not found", "provider_id"],
])(
  "an update of a provider fails on %i with the platform's words and a hint",
  async (status, detail, hint) => {
    const { update, emulator } = await startProvider();
    emulator.addFault({ kind: "answer", status, body: { detail } });

    const run = await update({ name: "Login" });

    expect(run.succeeded).toBe(false);
    expect(run.requests).toHaveLength(1);
    expect(run.errors).toEqual([
      expect.stringMatching(new RegExp(`failed with ${status}: .*${detail}.*${hint}`)),
    ]);
    expect(run.log + run.summary).not.toContain("Could not confirm");
  },
);

test.each<[number, RegExp]>([
  [401, /Check that the api_key or bearer_token/],
  [403, /Check workspace_id, and that the api_key or bearer_token .* may manage/],
  [418, /Check control_plane_url, provider_id and workspace_id\./],
])("the hint after %i names what to check", async (status, hint) => {
  const { update, emulator } = await startProvider();
  emulator.addFault({ kind: "answer", status, body: { detail: "no" } });

  const run = await update({ name: "Login" });

  expect(run.errors).toEqual([expect.stringMatching(hint)]);
});

test("every item of a 422 is an annotation with its place and message, without secrets", async () => {
  const { update, emulator } = await startProvider();
  const type = "value_error";
  const detail = [
    { loc: ["body", "auth_url"], msg: "not reachable", type },
    { loc: ["body", "scopes", 0], msg: "unknown\n::error::x", type, input: "new-client-secret" },
  ];
  emulator.addFault({ kind: "answer", status: 422, body: { detail } });

  const run = await update({ name: "Login", client_secret: "new-client-secret" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual(['body.auth_url: "not reachable".', 'body.scopes.0: "unknown ::error::x".']);
  expect(run.log).toMatch(/422.*inputs/);
  expect(run.summary).toContain("> - `body.auth_url`: `not reachable`");
  expect(run.log).not.toContain("new-client-secret");
});

test("a cancelled update of a provider says that it may have succeeded", async () => {
  const { start, emulator } = await startProvider();
  emulator.addFault({ kind: "hang", applied: true });

  const { context, ended } = start({ name: "Login" });
  while (emulator.requests.length === 0) await macrotask();
  context.cancel(new CancelledError("SIGTERM"));
  const run = await ended;

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/cancelled.*The update of OAuth provider local-provider may have succeeded/),
  ]);
  expect(run.summary).toContain("cancelled");
});
