import { expect, test } from "@jest/globals";
import { call, complaints, create, createRequest, withEmulator } from "./support/client.ts";

const requests = [
  "GET /v2/deployments",
  "POST /v2/deployments",
  "GET /v2/deployments/some-id",
  "PATCH /v2/deployments/some-id",
  "DELETE /v2/deployments/some-id",
  "GET /v2/deployments/some-id/revisions",
  "GET /v2/deployments/some-id/revisions/some-revision",
];

test.each(requests)("%s without the right headers answers 401 or 403", (line) =>
  withEmulator({}, async (emulator) => {
    const { url } = emulator;
    const statuses = [];
    for (const headers of [
      { "X-Tenant-Id": emulator.workspaceId },
      { "X-Api-Key": "wrong", "X-Tenant-Id": emulator.workspaceId },
      { "X-Api-Key": emulator.apiKey },
      { "X-Api-Key": emulator.apiKey, "X-Tenant-Id": "11111111-1111-4111-8111-111111111111" },
    ]) {
      const [method = "", path = ""] = line.split(" ");
      const response = await fetch(url + path, { method, headers: new Headers(Object.entries(headers)) });
      statuses.push(response.status);
      expect(await response.json()).toEqual({ detail: expect.any(String) });
    }
    expect(statuses).toEqual([401, 401, 403, 403]);
  }),
);

test("a key and a workspace of one's own", () =>
  withEmulator({ apiKey: "own", workspaceId: "22222222-2222-4222-8222-222222222222" }, async (emulator) => {
    expect(emulator.apiKey).toBe("own");
    await create(emulator);
    expect((await call({ ...emulator, apiKey: "local-api-key" }, "GET /v2/deployments")).status).toBe(401);
  }));

test("an unknown path answers 404 and an unsupported method 405, as JSON", () =>
  withEmulator({}, async (emulator) => {
    for (const line of ["GET /v2/nothing", "GET /nothing", "GET /", "GET /v2/deployments/a/b/c/d"]) {
      expect(await call(emulator, line)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    }
    const put = await call(emulator, "PUT /v2/deployments/some-id");
    expect(put).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(put.headers.get("allow")).toBe("GET, PATCH, DELETE");
  }));

test.each([
  ["no JSON", "{", ["body"]],
  ["nothing", "", ["body"]],
  ["a text", '"name"', ["body"]],
  ["null", "null", ["body"]],
  [
    "an empty object",
    {},
    ["body.name", "body.secrets", "body.source", "body.source_config", "body.source_revision_config"],
  ],
  ["unknown fields", createRequest({ tags: [], branch: "main" }), ["body.branch", "body.tags"]],
  ["an empty name", createRequest({ name: "" }), ["body.name"]],
  [
    "no integration for a github source",
    withConfig({ integration_id: null }),
    ["body.source_config.integration_id"],
  ],
  ["no repo_url for a github source", withConfig({ repo_url: null }), ["body.source_config.repo_url"]],
  [
    "wrong types",
    withConfig({ build_on_push: "false", resource_spec: "{}", custom_url: 1, surplus: 1 }),
    [
      "body.source_config.build_on_push",
      "body.source_config.custom_url",
      "body.source_config.resource_spec",
      "body.source_config.surplus",
    ],
  ],
  ["a list as resource_spec", withConfig({ resource_spec: [] }), ["body.source_config.resource_spec"]],
  [
    "bad secrets",
    createRequest({
      secrets: [{ name: "A", value: 12345 }, { name: "B" }, { name: "C", value: "c", x: 1 }, "D=d"],
    }),
    ["body.secrets.0.value", "body.secrets.1.value", "body.secrets.2.x", "body.secrets.3"],
  ],
])("a create with %s answers 422 that names every violation", (_, body, places) =>
  withEmulator({}, async (emulator) => {
    const answer = await call(emulator, "POST /v2/deployments", body);
    expect(complaints(answer)).toEqual(places);
    expect(JSON.stringify(answer.body)).not.toContain("12345");
    expect(emulator.deployments()).toEqual([]);
  }),
);

function withConfig(replaced: Record<string, unknown>) {
  return createRequest({ source_config: { ...createRequest().source_config, ...replaced } });
}

test.each([
  ["unknown fields", { name: "new", source: "github" }, ["body.name", "body.source"]],
  ["an unknown ref field", { source_revision_config: { ref: "main" } }, ["body.source_revision_config.ref"]],
  ["a list instead of an object", [], ["body"]],
  ["an empty list as source_config", { source_config: [] }, ["body.source_config"]],
  ["a wrong type", { source_config: { build_on_push: 1 } }, ["body.source_config.build_on_push"]],
  ["null where a list belongs", { secrets: null }, ["body.secrets"]],
])("an update with %s answers 422 and changes nothing", (_, body, places) =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator);
    const before = await call(emulator, `GET /v2/deployments/${id}`);
    expect(complaints(await call(emulator, `PATCH /v2/deployments/${id}`, body))).toEqual(places);
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toEqual(before.body);
  }),
);

test("a body that doesn't say it is JSON answers 422", () =>
  withEmulator({}, async (emulator) => {
    const answer = await call(emulator, "POST /v2/deployments", createRequest(), {
      "Content-Type": "text/plain",
    });
    expect(complaints(answer)).toEqual(["body"]);
  }));

test("a query where none belongs answers 422", () =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator);
    expect(complaints(await call(emulator, `GET /v2/deployments/${id}?limit=1`))).toEqual(["query.limit"]);
  }));
