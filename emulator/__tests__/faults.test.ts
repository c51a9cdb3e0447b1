import { connect } from "node:net";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { type FaultRule, startEmulator } from "../index.ts";
import { call, create, createRequest, deploymentIn, deployRef, revisionsOf } from "./support/client.ts";
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

test.each(["trickle", "delay"] as const)(
  "the response to a request with the fault %s is the real one",
  async (kind) => {
    emulator.addFault({ kind, match: list, milliseconds: 0 });

    const response = await fetch(`${emulator.url}/v2/deployments?name_contains=nothing`, { headers });

    expect(response.headers.get("content-length")).toBe("27");
    expect(await response.json()).toEqual({ resources: [], offset: 0 });
  },
);

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
