import { expect, test } from "@jest/globals";
import { call, create, createRequest, deploymentIn, revisionIds, withEmulator } from "./support/client.ts";

// Times are the emulator's own: a virtual one, in milliseconds.
const START = Date.parse("2026-03-02T09:00:00Z");

test("a create answers 201 with the deployment, its id and that of its first revision", () =>
  withEmulator({ now: () => START }, async (emulator) => {
    const answer = await call(emulator, "POST /v2/deployments", createRequest());
    const { id, latest } = deploymentIn(answer);

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id,
      tenant_id: emulator.workspaceId,
      name: "my-agent",
      source: "github",
      source_config: createRequest().source_config,
      source_revision_config: createRequest().source_revision_config,
      secrets: [],
      status: "READY",
      latest_revision_id: latest,
      active_revision_id: null,
      url: null,
      created_at: "2026-03-02T09:00:00.000Z",
      updated_at: "2026-03-02T09:00:00.000Z",
    });
    expect(await call(emulator, `GET /v2/deployments/${id}`)).toMatchObject({
      status: 200,
      body: answer.body,
    });
    expect(await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).toMatchObject({
      status: 200,
      body: {
        id: latest,
        status: "CREATING",
        created_at: "2026-03-02T09:00:00.000Z",
        updated_at: "2026-03-02T09:00:00.000Z",
        source: "github",
        source_revision_config: createRequest().source_revision_config,
      },
    });
  }));

test("the control plane is also served under /api-host", () =>
  withEmulator({}, async (emulator) => {
    const { id } = deploymentIn(await call(emulator, "POST /api-host/v2/deployments", createRequest()));
    expect((await call(emulator, `GET /api-host/v2/deployments/${id}`)).status).toBe(200);
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions`)).status).toBe(200);
  }));

test("an update with a revision configuration makes a revision of the merged configuration, the newest first", () => {
  let now = START;
  return withEmulator({ now: () => now }, async (emulator) => {
    const { id, latest: first } = await create(emulator);
    now += 60_000;
    const answer = await call(emulator, `PATCH /v2/deployments/${id}`, {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "feature" },
    });
    const { latest: second } = deploymentIn(answer);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        source_config: { ...createRequest().source_config, build_on_push: true },
        source_revision_config: { repo_ref: "feature", app_config_path: "agent.json", image_uri: null },
        created_at: "2026-03-02T09:00:00.000Z",
        updated_at: "2026-03-02T09:01:00.000Z",
      },
    });
    expect(second).not.toBe(first);
    expect(await revisionIds(emulator, id)).toEqual([second, first]);
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${second}`)).body).toMatchObject({
      source_revision_config: { repo_ref: "feature", app_config_path: "agent.json", image_uri: null },
    });
  });
});

test.each([
  ["an empty revision configuration", { source_revision_config: {} }, 2],
  ["secrets", { secrets: [{ name: "A", value: "1" }] }, 2],
  ["a resource_spec", { source_config: { resource_spec: { cpu: 2 } } }, 2],
  ["build_on_push alone", { source_config: { build_on_push: true } }, 1],
  ["a resource_spec of null", { source_config: { resource_spec: null } }, 1],
  ["nothing", {}, 1],
])("after an update with %s", (_, body, revisions) =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator);
    const answer = await call(emulator, `PATCH /v2/deployments/${id}`, body);

    expect(answer.status).toBe(200);
    const ids = await revisionIds(emulator, id);
    expect(ids).toHaveLength(revisions);
    expect(deploymentIn(answer).latest).toBe(ids[0]);
  }),
);

test("two revisions of the same millisecond keep their order", () =>
  withEmulator({ now: () => START }, async (emulator) => {
    const { id, latest } = await create(emulator);
    const ids = [latest];
    for (let count = 0; count < 5; count += 1) {
      const answer = await call(emulator, `PATCH /v2/deployments/${id}`, { source_revision_config: {} });
      ids.unshift(deploymentIn(answer).latest);
    }
    expect(await revisionIds(emulator, id)).toEqual(ids);
  }));

test("of secrets only the names are shown, and an update replaces them all", () =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator, {
      secrets: [
        { name: "FIRST", value: "canary-1" },
        { name: "SECOND", value: "canary-2" },
      ],
    });
    const read = await call(emulator, `GET /v2/deployments/${id}`);
    expect(read.body).toMatchObject({ secrets: [{ name: "FIRST" }, { name: "SECOND" }] });

    const updated = await call(emulator, `PATCH /v2/deployments/${id}`, {
      secrets: [{ name: "THIRD", value: "canary-3" }],
    });
    expect(updated.body).toMatchObject({ secrets: [{ name: "THIRD" }] });
    expect(JSON.stringify([read, updated])).not.toContain("canary");
  }));

test("a name that exists answers 409, and is free again after a DELETE", () =>
  withEmulator({}, async (emulator) => {
    const { id, latest } = await create(emulator);
    const again = await call(emulator, "POST /v2/deployments", createRequest());
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining("my-agent") } });

    const deleted = await call(emulator, `DELETE /v2/deployments/${id}`);
    expect(deleted).toMatchObject({ status: 204, body: "" });
    for (const path of ["", "/revisions", `/revisions/${latest}`]) {
      expect(await call(emulator, `GET /v2/deployments/${id}${path}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining(id) },
      });
    }
    expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(404);
    expect((await call(emulator, `PATCH /v2/deployments/${id}`, {})).status).toBe(404);
    expect((await create(emulator)).id).not.toBe(id);
  }));

test("a revision is found only under its own deployment", () =>
  withEmulator({}, async (emulator) => {
    const one = await create(emulator, { name: "one" });
    const other = await create(emulator, { name: "other" });
    expect((await call(emulator, `GET /v2/deployments/${one.id}/revisions/${other.latest}`)).status).toBe(
      404,
    );
  }));
