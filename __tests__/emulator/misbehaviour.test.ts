import { connect } from "node:net";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import type { RuleInput } from "../../emulator/misbehave/rules.ts";
import { startEmulator } from "../../emulator/server.ts";
import {
  call,
  create,
  createRequest,
  deploymentIn,
  revisionIds,
  statusOf,
  withEmulator,
} from "./support/client.ts";

const list = { method: "GET", path: "^/v2/deployments$" };
const update = { source_revision_config: { repo_ref: "ours" } };

// Not `instanceof Error`: fetch's errors come from outside Jest's sandbox.
const FailureSchema = v.object({ cause: v.object({ code: v.string() }) });

/** The code of the socket's error that made a fetch fail. */
async function failure(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => new Error("it didn't fail"),
    (reason: unknown) => reason,
  );
  return v.parse(FailureSchema, error).cause.code;
}

test("without rules every request is answered as it should, and a rule can be taken back", () =>
  withEmulator({}, async (emulator) => {
    const takeBack = emulator.misbehave({ kind: "answer", status: 503, match: { times: "always" } });
    expect((await call(emulator, "GET /v2/deployments")).status).toBe(503);
    takeBack();
    expect((await call(emulator, "GET /v2/deployments")).status).toBe(200);
  }));

test("a client that goes away while it sends leaves the emulator as it was", () =>
  withEmulator({}, async (emulator) => {
    const { hostname, port } = new URL(emulator.url);
    const socket = connect(Number(port), hostname);
    socket.write("POST /v2/deployments HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    while (emulator.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
    await create(emulator);
    expect(emulator.requests).toMatchObject([{ body: undefined }, { status: 201 }]);
  }));

test("what isn't a rule is refused", () =>
  withEmulator({}, async (emulator) => {
    const wrong: RuleInput = { kind: "answer", status: 503, match: { path: "(" } };
    expect(() => emulator.misbehave(wrong)).toThrow("regular expression");
  }));

test("an answer replaces the n-th matching requests", () =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({
      kind: "answer",
      match: { ...list, from: 2, times: 2 },
      status: 429,
      headers: { "retry-after": "7" },
      body: { detail: "slow down" },
    });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      await create(emulator, { name: `agent-${count}` });
      statuses.push((await call(emulator, "GET /api-host/v2/deployments?limit=1")).status);
    }
    expect(statuses).toEqual([200, 429, 429, 200]);
  }));

test.each([
  ["text", { headers: { "content-type": "text/html" }, body: "<h1>no</h1>" }, "<h1>no</h1>"],
  ["JSON", { body: { detail: "no" } }, { detail: "no" }],
  ["nothing", {}, ""],
])("the body of an answer is %s", (_, given, body) =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({ kind: "answer", match: list, status: 404, ...given });
    expect(await call(emulator, "GET /v2/deployments")).toMatchObject({ status: 404, body });
  }),
);

test.each([
  [false, 0],
  [true, 1],
])("an answer of 500, applied %s", (applied, made) =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({ kind: "answer", match: { method: "POST" }, applied, status: 500 });
    expect((await call(emulator, "POST /v2/deployments", createRequest())).status).toBe(500);
    expect(emulator.deployments()).toHaveLength(made);
    expect(emulator.requests).toMatchObject([{ method: "POST", body: { name: "my-agent" }, status: 500 }]);
  }),
);

test.each([
  [false, 0],
  [true, 1],
])("a reset connection, applied %s", (applied, made) =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied });
    expect(await failure(call(emulator, "POST /v2/deployments", createRequest()))).toBe("ECONNRESET");
    expect(emulator.deployments()).toHaveLength(made);
  }),
);

test.each([
  [false, 0],
  [true, 1],
])("a hanging request, applied %s", async (applied, made) => {
  const emulator = await startEmulator();
  emulator.misbehave({ kind: "hang", match: { method: "POST" }, applied });
  const hanging = failure(call(emulator, "POST /v2/deployments", createRequest()));
  while (emulator.requests[0]?.body === undefined) await new Promise((resolve) => setImmediate(resolve));
  expect((await call(emulator, "GET /v2/deployments")).body).toMatchObject({ offset: made });
  await emulator.close();
  expect(await hanging).toBe("UND_ERR_SOCKET");
});

test.each(["length", "chunked"] as const)("a cut answer, framed by %s", (framing) =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator);
    emulator.misbehave({ kind: "cut", match: { path: id }, framing, bytes: 9 });
    const headers = { "X-Api-Key": emulator.apiKey, "X-Tenant-Id": emulator.workspaceId };
    const response = await fetch(`${emulator.url}/v2/deployments/${id}`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.has("content-length")).toBe(framing === "length");
    let received = "";
    const reading = (async () => {
      for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString();
    })();
    expect(await failure(reading)).toBe("UND_ERR_SOCKET");
    expect(received).toBe(`{"id":"${id.slice(0, 2)}`);
  }),
);

test("a trickle is the right answer, byte by byte", () =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({ kind: "trickle", match: list, milliseconds: 0 });
    const headers = { "X-Api-Key": emulator.apiKey, "X-Tenant-Id": emulator.workspaceId };
    const response = await fetch(`${emulator.url}/v2/deployments`, { headers });
    expect(response.headers.get("content-length")).toBe("27");
    expect(await response.json()).toEqual({ resources: [], offset: 0 });
  }));

test("hidden fields are left out at any depth, everywhere or where told", () =>
  withEmulator({}, async (emulator) => {
    const { id, latest } = await create(emulator);
    emulator.misbehave({ kind: "hide", fields: ["source_revision_config"] });
    emulator.misbehave({ kind: "hide", match: { method: "PATCH" }, fields: ["latest_revision_id"] });
    const { body: revisions } = await call(emulator, `GET /v2/deployments/${id}/revisions`);
    expect(revisions).toMatchObject({ resources: [{ id: latest, status: "CREATING" }] });
    expect(JSON.stringify(revisions)).not.toContain("source_revision_config");

    const { status, body } = await call(emulator, `PATCH /v2/deployments/${id}`, update);
    expect({ status, body }).toMatchObject({ status: 200, body: { id } });
    expect(JSON.stringify(body)).not.toContain("latest_revision_id");
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toHaveProperty("latest_revision_id");
  }));

test("reads lag behind a write by time", () => {
  let now = 0;
  return withEmulator({ now: () => now }, async (emulator) => {
    const { id, latest: first } = await create(emulator);
    now = 10_000;
    emulator.misbehave({ kind: "lag", milliseconds: 5000 });
    const { latest: second } = deploymentIn(await call(emulator, `PATCH /v2/deployments/${id}`, update));
    expect(second).not.toBe(first);

    now = 14_999;
    expect(await revisionIds(emulator, id)).toEqual([first]);
    expect(deploymentIn(await call(emulator, `GET /v2/deployments/${id}`)).latest).toBe(first);
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${second}`)).status).toBe(404);
    now = 15_000;
    expect(await revisionIds(emulator, id)).toEqual([second, first]);
    expect(deploymentIn(await call(emulator, `GET /v2/deployments/${id}`)).latest).toBe(second);
    expect(await statusOf(emulator, id, second)).toBe("DEPLOYING");
  });
});

test("reads lag behind a write by their number, each kind of read for itself", () =>
  withEmulator({}, async (emulator) => {
    const { id, latest: first } = await create(emulator);
    // The first revision counts as new too until its reads are over.
    emulator.misbehave({ kind: "lag", where: ["revisions"], reads: 2 });
    expect(await revisionIds(emulator, id)).toEqual([]);
    // What a test looks at past HTTP neither lags nor counts as a read.
    expect(emulator.deployments()).toMatchObject([{ id, revisions: [{ id: first }] }]);
    expect(await revisionIds(emulator, id)).toEqual([]);
    expect(await revisionIds(emulator, id)).toEqual([first]);
    const { latest: second } = deploymentIn(await call(emulator, `PATCH /v2/deployments/${id}`, update));
    expect(await revisionIds(emulator, id)).toEqual([first]);
    expect(deploymentIn(await call(emulator, `GET /v2/deployments/${id}`)).latest).toBe(second);
    expect(await revisionIds(emulator, id)).toEqual([first]);
    expect(await revisionIds(emulator, id)).toEqual([second, first]);
  }));

test("a new deployment may lag in the list", () =>
  withEmulator({}, async (emulator) => {
    emulator.misbehave({ kind: "lag", where: ["deployments"], reads: 1 });
    const { id } = await create(emulator);
    expect((await call(emulator, "GET /v2/deployments")).body).toEqual({ resources: [], offset: 0 });
    expect((await call(emulator, `GET /v2/deployments/${id}`)).status).toBe(200);
    expect((await call(emulator, "GET /v2/deployments")).body).toMatchObject({ resources: [{ id }] });
  }));

test.each(["before", "after"] as const)("somebody else's revision right %s ours", (when) =>
  withEmulator({}, async (emulator) => {
    const { id, latest: first } = await create(emulator);
    emulator.misbehave({ kind: "foreign_revision", when, repo_ref: "theirs" });
    const { latest: ours } = deploymentIn(await call(emulator, `PATCH /v2/deployments/${id}`, update));

    const refs = emulator
      .deployments()
      .flatMap(({ revisions }) => revisions.map((one) => one.source_revision_config.repo_ref));
    expect(refs).toEqual(when === "before" ? ["ours", "theirs", "main"] : ["theirs", "ours", "main"]);
    const ids = await revisionIds(emulator, id);
    expect(ids.indexOf(ours)).toBe(refs.indexOf("ours"));
    expect(ids.at(-1)).toBe(first);
    // Once, and never around an update that makes no revision.
    await call(emulator, `PATCH /v2/deployments/${id}`, update);
    expect(await revisionIds(emulator, id)).toHaveLength(4);
  }),
);

test("a test can add somebody else's revision at any moment", () =>
  withEmulator({}, async (emulator) => {
    const { id, latest } = await create(emulator);
    const { id: theirs, source_revision_config } = emulator.addForeignRevision(id, "theirs");
    expect(source_revision_config).toMatchObject({ repo_ref: "theirs", app_config_path: "agent.json" });
    expect(await revisionIds(emulator, id)).toEqual([theirs, latest]);
  }));

test("a sequence of statuses, for one ref or for all", () => {
  let now = 0;
  return withEmulator({ now: () => now }, async (emulator) => {
    emulator.misbehave({
      kind: "statuses",
      repo_ref: "odd",
      sequence: [{ status: "NEVER_SEEN_BEFORE", seconds: 10 }, { status: "DEPLOY_FAILED" }],
    });
    const source_revision_config = { ...createRequest().source_revision_config, repo_ref: "odd" };
    const odd = await create(emulator, { name: "odd", source_revision_config });
    const plain = await create(emulator, { name: "plain" });
    expect(await statusOf(emulator, odd.id, odd.latest)).toBe("NEVER_SEEN_BEFORE");
    expect(await statusOf(emulator, plain.id, plain.latest)).toBe("CREATING");
    now = 10_000;
    expect(await statusOf(emulator, odd.id, odd.latest)).toBe("DEPLOY_FAILED");

    emulator.misbehave({ kind: "statuses", sequence: [{ status: "DEPLOYED" }] });
    const any = await create(emulator, { name: "any" });
    expect(await statusOf(emulator, any.id, any.latest)).toBe("DEPLOYED");
  });
});

test("a slow deletion keeps the name for a while", () => {
  let now = 0;
  return withEmulator({ now: () => now }, async (emulator) => {
    const { id } = await create(emulator);
    emulator.misbehave({ kind: "slow_delete", seconds: 30 });
    expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(204);

    now = 29_999;
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      status: "AWAITING_DELETE",
    });
    expect((await call(emulator, "POST /v2/deployments", createRequest())).status).toBe(409);
    expect((await call(emulator, `PATCH /v2/deployments/${id}`, update)).status).toBe(409);
    expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(204);
    now = 30_000;
    expect((await call(emulator, `GET /v2/deployments/${id}`)).status).toBe(404);
    await create(emulator);
  });
});

test("the request log shows what was asked, in full but for the credentials", () =>
  withEmulator({}, async (emulator) => {
    await call(
      emulator,
      "POST /api-host/v2/deployments",
      createRequest({ secrets: [{ name: "A", value: "a" }] }),
    );
    await call(emulator, "GET /v2/deployments?limit=5&limit=6&name_contains=x", undefined, {
      Authorization: "Bearer token",
    });
    expect(emulator.requests).toMatchObject([
      {
        method: "POST",
        path: "/api-host/v2/deployments",
        query: {},
        headers: { "x-api-key": "<redacted>", "x-tenant-id": emulator.workspaceId },
        body: createRequest({ secrets: [{ name: "A", value: "a" }] }),
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
  }));
