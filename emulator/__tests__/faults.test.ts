import { connect } from "node:net";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { type FaultRule, startEmulator } from "../index.ts";
import {
  call,
  create,
  createRequest,
  deploymentIn,
  deployRef,
  revisionsOf,
  statusOf,
} from "./support/client.ts";
import { useEmulator, withEmulator } from "./support/emulator.ts";

const emulator = await useEmulator();
const list = { method: "GET", path: "^/v2/deployments$" };
const headers = { "X-Api-Key": emulator.apiKey, "X-Tenant-Id": emulator.workspaceId };

// Not `instanceof Error`: the errors of fetch come from outside of Jest's sandbox.
const FailureSchema = v.object({ cause: v.object({ code: v.string() }) });

/** The code of the socket error behind a failed fetch. */
async function failure(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => new Error("it didn't fail"),
    (reason: unknown) => reason,
  );
  return v.parse(FailureSchema, error).cause.code;
}

/** Returns once the condition holds: what it waits for is already on its way. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test("a fault rule is in force until it is removed", async () => {
  const remove = emulator.addFault({ kind: "answer", status: 503, match: { times: "always" } });
  expect((await call(emulator, "GET /v2/deployments")).status).toBe(503);

  remove();

  expect((await call(emulator, "GET /v2/deployments")).status).toBe(200);
});

test("an invalid fault rule is refused", () => {
  const invalid: FaultRule = { kind: "answer", status: 503, match: { path: "(" } };

  expect(() => emulator.addFault(invalid)).toThrow("regular expression");
});

test("the fault answer replaces the responses to the n-th matching requests, with or without /api-host", async () => {
  emulator.addFault({
    kind: "answer",
    match: { ...list, from: 2, times: 2 },
    status: 429,
    headers: { "retry-after": "7" },
    body: { detail: "slow down" },
  });

  const statuses = [];
  for (const prefix of ["", "/api-host", "", ""]) {
    await create(emulator);
    statuses.push((await call(emulator, `GET ${prefix}/v2/deployments?limit=1`)).status);
  }

  expect(statuses).toEqual([200, 429, 429, 200]);
});

test.each([
  ["text", { headers: { "content-type": "text/html" }, body: "<h1>no</h1>" }, "<h1>no</h1>"],
  ["JSON", { body: { detail: "no" } }, { detail: "no" }],
  ["nothing", {}, ""],
])("the body of the fault answer can be %s", async (_, given, body) => {
  emulator.addFault({ kind: "answer", match: list, status: 404, ...given });

  expect(await call(emulator, "GET /v2/deployments")).toMatchObject({ status: 404, body });
});

test.each([
  ["has no effect unless the rule says applied", false, 0],
  ["takes effect if the rule says applied", true, 1],
])("a create that gets 500 or whose connection is reset %s", async (_effect, applied, created) => {
  const exists = (name: string) => emulator.deployments().filter((one) => one.name === name).length;
  emulator.addFault({ kind: "answer", match: { method: "POST" }, applied, status: 500 });
  emulator.addFault({ kind: "reset", match: { method: "POST", from: 2 }, applied });
  const [answered, reset] = [createRequest(), createRequest()];

  expect((await call(emulator, "POST /v2/deployments", answered)).status).toBe(500);
  expect(await failure(call(emulator, "POST /v2/deployments", reset))).toBe("ECONNRESET");

  expect([exists(answered.name), exists(reset.name)]).toEqual([created, created]);
  expect(emulator.requests.at(-2)).toMatchObject({ body: { name: answered.name }, status: 500 });
});

test.each([
  ["has no effect unless the rule says applied", false, 0],
  ["takes effect if the rule says applied", true, 1],
])("a create that hangs %s, and ends when the emulator is closed", async (_effect, applied, created) => {
  const own = await startEmulator();
  own.addFault({ kind: "hang", match: { method: "POST" }, applied });

  const hanging = failure(call(own, "POST /v2/deployments", createRequest()));
  await until(() => own.requests[0]?.body !== undefined);

  expect((await call(own, "GET /v2/deployments")).body).toMatchObject({ offset: created });
  await own.close();
  expect(await hanging).toBe("UND_ERR_SOCKET");
});

test.each(["length", "chunked"] as const)("a response framed by %s is cut", async (framing) => {
  const { id } = await create(emulator);
  emulator.addFault({ kind: "cut", match: { path: id }, framing, bytes: 9 });

  const response = await fetch(`${emulator.url}/v2/deployments/${id}`, { headers });
  let received = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString();
  })();

  expect(response.status).toBe(200);
  expect(response.headers.has("content-length")).toBe(framing === "length");
  expect(await failure(reading)).toBe("UND_ERR_SOCKET");
  expect(received).toBe(`{"id":"${id.slice(0, 2)}`);
});

test("a trickle is the real response", async () => {
  emulator.addFault({ kind: "trickle", match: list, milliseconds: 0 });

  const response = await fetch(`${emulator.url}/v2/deployments?name_contains=nothing`, { headers });

  expect(response.headers.get("content-length")).toBe("27");
  expect(await response.json()).toEqual({ resources: [], offset: 0 });
});

test("hidden fields are missing at any depth, from all responses or from those that match", async () => {
  const { id, latest } = await create(emulator);
  emulator.addFault({ kind: "hide", fields: ["source_revision_config"] });
  emulator.addFault({ kind: "hide", match: { method: "PATCH" }, fields: ["latest_revision_id"] });

  const { body: revisions } = await call(emulator, `GET /v2/deployments/${id}/revisions`);
  const { body: updated } = await call(emulator, `PATCH /v2/deployments/${id}`, {});
  const { body: read } = await call(emulator, `GET /v2/deployments/${id}`);

  expect(revisions).toMatchObject({ resources: [{ id: latest, status: "CREATING" }] });
  expect(JSON.stringify(revisions)).not.toContain("source_revision_config");
  expect(updated).toMatchObject({ id });
  expect(updated).not.toHaveProperty("latest_revision_id");
  expect(read).toHaveProperty("latest_revision_id");
});

test("reads don't show a new revision for a time", async () => {
  const { id, latest: first } = await create(emulator);
  emulator.pass(10);
  emulator.addFault({ kind: "hide_new", milliseconds: 5000 });
  const second = await deployRef(emulator, id, "ours");
  const readAll = async () => ({
    latest: deploymentIn(await call(emulator, `GET /v2/deployments/${id}`)).latest,
    ids: (await revisionsOf(emulator, id)).ids,
    status: (await call(emulator, `GET /v2/deployments/${id}/revisions/${second}`)).status,
  });

  emulator.pass(4.999);
  expect(await readAll()).toEqual({ latest: first, ids: [first], status: 404 });
  emulator.pass(0.001);
  expect(await readAll()).toEqual({ latest: second, ids: [second, first], status: 200 });
});

test("a new revision is hidden from a number of reads of the same kind", async () => {
  const { id, latest: first } = await create(emulator);
  emulator.addFault({ kind: "hide_new", where: ["revisions"], reads: 2 });
  const ids = async () => (await revisionsOf(emulator, id)).ids;

  // The first revision counts as new too. `deployments()` is no read.
  expect(await ids()).toEqual([]);
  expect(emulator.deployments().at(-1)).toMatchObject({ id, revisions: [{ id: first }] });
  expect(await ids()).toEqual([]);
  expect(await ids()).toEqual([first]);
  const second = await deployRef(emulator, id, "ours");
  expect(await ids()).toEqual([first]);
  expect(deploymentIn(await call(emulator, `GET /v2/deployments/${id}`)).latest).toBe(second);
  expect(await ids()).toEqual([first]);
  expect(await ids()).toEqual([second, first]);
});

test("a new deployment is missing from the list for a number of reads", async () => {
  emulator.addFault({ kind: "hide_new", where: ["deployments"], reads: 1 });
  const request = createRequest();
  const { id } = await create(emulator, request);
  const listed = async () => (await call(emulator, `GET /v2/deployments?name_contains=${request.name}`)).body;

  expect(await listed()).toEqual({ resources: [], offset: 0 });
  expect((await call(emulator, `GET /v2/deployments/${id}`)).status).toBe(200);
  expect(await listed()).toMatchObject({ resources: [{ id }] });
});

test.each([
  ["before", ["ours", "theirs", "main"]],
  ["after", ["theirs", "ours", "main"]],
] as const)("somebody else's revision comes right %s the next one", async (when, refs) => {
  const { id } = await create(emulator);
  emulator.addFault({ kind: "concurrent_revision", when, repo_ref: "theirs" });

  await call(emulator, `PATCH /v2/deployments/${id}`, { source_config: { build_on_push: true } });
  const ours = await deployRef(emulator, id, "ours");
  const later = await deployRef(emulator, id, "ours");

  const revisions = emulator.deployments().find((one) => one.id === id)?.revisions ?? [];
  expect(revisions.map((one) => one.source_revision_config.repo_ref)).toEqual(["ours", ...refs]);
  expect([revisions[0]?.id, revisions[1 + refs.indexOf("ours")]?.id]).toEqual([later, ours]);
});

test("a test can add somebody else's revision at any moment", async () => {
  const { id, latest } = await create(emulator);

  const theirs = emulator.addConcurrentRevision(id, "theirs");

  expect(theirs.source_revision_config).toMatchObject({ repo_ref: "theirs", app_config_path: "agent.json" });
  expect((await revisionsOf(emulator, id)).ids).toEqual([theirs.id, latest]);
});

test("statuses set the life of new revisions, of one ref or of all", async () => {
  emulator.addFault({
    kind: "statuses",
    repo_ref: "odd",
    sequence: [{ status: "NEVER_SEEN_BEFORE", seconds: 10 }, { status: "DEPLOY_FAILED" }],
  });
  const odd = await create(emulator, createRequest({ source_revision_config: { repo_ref: "odd" } }));
  const plain = await create(emulator);
  emulator.addFault({ kind: "statuses", sequence: [{ status: "DEPLOYED" }] });
  const any = await create(emulator);

  expect(await statusOf(emulator, odd.id, odd.latest)).toBe("NEVER_SEEN_BEFORE");
  expect(await statusOf(emulator, plain.id, plain.latest)).toBe("CREATING");
  expect(await statusOf(emulator, any.id, any.latest)).toBe("DEPLOYED");
  emulator.pass(10);
  expect(await statusOf(emulator, odd.id, odd.latest)).toBe("DEPLOY_FAILED");
});

test("a slow deletion keeps the deployment and its name for a while", async () => {
  const request = createRequest();
  const { id } = await create(emulator, request);
  const one = `/v2/deployments/${id}`;
  emulator.addFault({ kind: "slow_delete", seconds: 30 });
  expect((await call(emulator, `DELETE ${one}`)).status).toBe(204);

  emulator.pass(29.999);
  expect((await call(emulator, `GET ${one}`)).body).toMatchObject({ status: "AWAITING_DELETE" });
  expect((await call(emulator, "POST /v2/deployments", request)).status).toBe(409);
  expect((await call(emulator, `PATCH ${one}`, {})).status).toBe(409);
  expect((await call(emulator, `DELETE ${one}`)).status).toBe(204);
  emulator.pass(0.001);
  expect((await call(emulator, `GET ${one}`)).status).toBe(404);
  await create(emulator, request);
});

test("a client that disconnects while it sends leaves the emulator unharmed", () =>
  withEmulator({}, async (own) => {
    const { hostname, port } = new URL(own.url);
    const socket = connect(Number(port), hostname);
    socket.write("POST /v2/deployments HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await until(() => own.requests.length > 0);

    socket.resetAndDestroy();
    await create(own);

    expect(own.requests).toMatchObject([{ body: undefined }, { status: 201 }]);
  }));

test("the request log shows requests completely, except for credentials", async () => {
  const request = createRequest({ secrets: [{ name: "A", value: "a" }] });
  const bearer = { Authorization: "Bearer token" };

  await call(emulator, "POST /api-host/v2/deployments", request);
  await call(emulator, "GET /v2/deployments?limit=5&limit=6&name_contains=x", undefined, bearer);

  expect(emulator.requests.slice(-2)).toMatchObject([
    {
      method: "POST",
      path: "/api-host/v2/deployments",
      query: {},
      headers: { "x-api-key": "<redacted>", "x-tenant-id": emulator.workspaceId },
      body: request,
      status: 201,
    },
    {
      method: "GET",
      path: "/v2/deployments",
      query: { limit: ["5", "6"], name_contains: ["x"] },
      headers: { authorization: "<redacted>" },
      body: undefined,
      status: 422,
    },
  ]);
});
