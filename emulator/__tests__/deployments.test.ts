import { expect, test } from "@jest/globals";
import * as v from "valibot";
import {
  type ApiResponse,
  call,
  create,
  createRequest,
  deploymentIn,
  newName,
  revisionsOf,
} from "./support/client.ts";
import { START, useEmulator, withEmulator } from "./support/emulator.ts";

const emulator = await useEmulator();

test("a create gets 201 with the deployment and its first revision", async () => {
  const request = createRequest();

  const response = await call(emulator, "POST /v2/deployments", request);

  const { id, latest } = deploymentIn(response);
  const deployment = {
    ...request,
    id,
    tenant_id: emulator.workspaceId,
    status: "READY",
    latest_revision_id: latest,
    active_revision_id: null,
    url: null,
    created_at: emulator.time(),
    updated_at: emulator.time(),
  };
  expect(response.status).toBe(201);
  expect(response.body).toEqual(deployment);
  expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toEqual(deployment);
  expect((await call(emulator, `GET /v2/deployments?name_contains=${request.name}`)).body).toEqual({
    resources: [deployment],
    offset: 1,
  });
  expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).body).toEqual({
    id: latest,
    status: "CREATING",
    created_at: emulator.time(),
    updated_at: emulator.time(),
    source: "github",
    source_revision_config: request.source_revision_config,
  });
});

test("an update creates a revision of the merged configuration, the newest first", async () => {
  const request = createRequest();
  const { id, latest: first } = await create(emulator, request);
  const createdAt = emulator.time();
  emulator.pass(60);

  const response = await call(emulator, `PATCH /v2/deployments/${id}`, {
    source_config: { build_on_push: true },
    source_revision_config: { repo_ref: "feature" },
  });

  const { latest: second } = deploymentIn(response);
  const source_revision_config = { ...request.source_revision_config, repo_ref: "feature" };
  expect(response.body).toMatchObject({
    source_config: { ...request.source_config, build_on_push: true },
    source_revision_config,
    created_at: createdAt,
    updated_at: emulator.time(),
  });
  expect((await revisionsOf(emulator, id)).ids).toEqual([second, first]);
  expect(await call(emulator, `GET /v2/deployments/${id}/revisions/${second}`)).toMatchObject({
    body: { source_revision_config },
  });
});

test.each<[string, number, object]>([
  ["an empty revision configuration", 2, { source_revision_config: {} }],
  ["secrets", 2, { secrets: [{ name: "A", value: "1" }] }],
  ["a resource_spec", 2, { source_config: { resource_spec: { cpu: 2 } } }],
  ["build_on_push alone", 1, { source_config: { build_on_push: true } }],
  ["a resource_spec of null", 1, { source_config: { resource_spec: null } }],
  ["nothing", 1, {}],
])("after an update with %s, a deployment with one revision has %d", async (_, count, body) => {
  const { id } = await create(emulator);

  const response = await call(emulator, `PATCH /v2/deployments/${id}`, body);

  const { ids } = await revisionsOf(emulator, id);
  expect(response.status).toBe(200);
  expect(ids).toHaveLength(count);
  expect(deploymentIn(response).latest).toBe(ids[0]);
});

test("a revision is found only under its own deployment", async () => {
  const one = await create(emulator);
  const other = await create(emulator);

  const response = await call(emulator, `GET /v2/deployments/${one.id}/revisions/${other.latest}`);

  expect(response.status).toBe(404);
});

test("responses show only the names of secrets, and an update replaces all of them", async () => {
  const secrets = ["FIRST", "SECOND"].map((name) => ({ name, value: `canary-${name}` }));
  const { id } = await create(emulator, createRequest({ secrets }));

  const read = await call(emulator, `GET /v2/deployments/${id}`);
  const updated = await call(emulator, `PATCH /v2/deployments/${id}`, {
    secrets: [{ name: "THIRD", value: "canary-3" }],
  });

  expect(read.body).toMatchObject({ secrets: [{ name: "FIRST" }, { name: "SECOND" }] });
  expect(updated.body).toMatchObject({ secrets: [{ name: "THIRD" }] });
  expect(JSON.stringify([read, updated])).not.toContain("canary");
});

test("a name that exists gets 409 until its deployment is deleted", async () => {
  const request = createRequest();
  const { id, latest } = await create(emulator, request);

  const again = await call(emulator, "POST /v2/deployments", request);
  const deleted = await call(emulator, `DELETE /v2/deployments/${id}`);

  expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining(request.name) } });
  expect(deleted).toMatchObject({ status: 204, body: "" });
  for (const path of ["", "/revisions", `/revisions/${latest}`]) {
    expect(await call(emulator, `GET /v2/deployments/${id}${path}`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(id) },
    });
  }
  expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(404);
  expect((await call(emulator, `PATCH /v2/deployments/${id}`, {})).status).toBe(404);
  expect((await create(emulator, request)).id).not.toBe(id);
});

test("an emulator uses its own key, host and clock, rounded down to milliseconds", () =>
  withEmulator({ apiKey: "own", host: "localhost", now: () => START + 0.5678 }, async (own) => {
    const { id } = await create(own);

    expect(own.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(await call(own, `GET /v2/deployments/${id}`)).toMatchObject({
      body: { created_at: "2026-03-02T09:00:00.000Z" },
    });
    expect((await call({ ...own, apiKey: emulator.apiKey }, "GET /v2/deployments")).status).toBe(401);
  }));

const ListSchema = v.strictObject({
  resources: v.array(v.looseObject({ name: v.string() })),
  offset: v.number(),
});

function pageIn({ body }: ApiResponse): { names: string[]; offset: number } {
  const { resources, offset } = v.parse(ListSchema, body);
  return { names: resources.map(({ name }) => name), offset };
}

test("the list of deployments has pages of 20 by default and shows the offset of the next page", async () => {
  const prefix = `${newName()}-`;
  const names = Array.from({ length: 45 }, (_, number) => prefix + number);
  for (const name of names) await create(emulator, createRequest({ name }));

  const page = async (query: string) =>
    pageIn(await call(emulator, `GET /v2/deployments?name_contains=${prefix}${query}`));

  expect(await page("")).toEqual({ names: names.slice(0, 20), offset: 20 });
  expect(await page("&limit=20&offset=40")).toEqual({ names: names.slice(40), offset: 45 });
  expect(await page("&offset=45")).toEqual({ names: [], offset: 45 });
  expect((await page("&limit=100")).names).toEqual(names);
});

test("name_contains filters by a part of the name, taken literally", () =>
  withEmulator({}, async (own) => {
    for (const name of ["pr-1", "my-pr-12", "pr_1", "PR-1"]) await create(own, createRequest({ name }));

    const named = async (text: string) =>
      pageIn(await call(own, `GET /v2/deployments?name_contains=${encodeURIComponent(text)}`)).names;

    expect(await named("pr-1")).toEqual(["pr-1", "my-pr-12"]);
    expect(await named("%")).toEqual([]);
    expect(await named("")).toHaveLength(4);
  }));
