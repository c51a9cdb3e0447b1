// Requests that break the schema of the control plane, and requests without the right headers.
import { expect, test } from "@jest/globals";
import { call, create, createRequest, violations } from "./support/client.ts";
import { useEmulator } from "./support/emulator.ts";

const emulator = await useEmulator();

/** A create request with the value at a dotted path replaced; undefined removes the field. */
function requestWith(path: string, value: unknown): object {
  const [part = "", field] = path.split(".");
  return field === undefined
    ? { ...createRequest(), [part]: value }
    : createRequest({ [part]: { [field]: value } });
}

// A field, a valid value, an invalid one, and whether the field may be null.
const fields: [string, unknown, unknown, boolean][] = [
  ["name", "another-name", 1, false],
  ["source", "github", 1, false],
  ["source_config", createRequest().source_config, "text", false],
  ["source_config.integration_id", "another", 1, false],
  ["source_config.repo_url", "https://github.com/octo/other", 1, false],
  ["source_config.deployment_type", "dev", 1, false],
  ["source_config.build_on_push", true, "true", false],
  ["source_config.custom_url", "https://agent.example.org", 1, true],
  ["source_config.resource_spec", { cpu: 1 }, "text", true],
  ["source_revision_config", createRequest().source_revision_config, "text", false],
  ["source_revision_config.repo_ref", "refs/tags/v1", 1, false],
  ["source_revision_config.app_config_path", "other.json", 1, false],
  ["source_revision_config.image_uri", "registry.example/agent:1", 1, true],
  ["secrets", [{ name: "A", value: "a" }], {}, false],
];

test.each(fields)("a create requires %s and checks its type", async (path, valid, invalid, nullable) => {
  const post = (value: unknown) => call(emulator, "POST /v2/deployments", requestWith(path, value));

  expect(violations(await post(invalid))).toEqual([`body.${path}`]);
  expect(violations(await post(undefined))).toEqual([`body.${path}`]);
  expect((await post(null)).status).toBe(nullable ? 201 : 422);
  expect((await post(valid)).status).toBe(201);
});

test.each(fields.filter(([path]) => path.includes(".")))(
  "an update accepts %s alone and checks its type",
  async (path, valid, invalid) => {
    const { id } = await create(emulator);
    const [part = "", field = ""] = path.split(".");
    const patch = (value: unknown) =>
      call(emulator, `PATCH /v2/deployments/${id}`, { [part]: { [field]: value } });

    expect(await patch(valid)).toMatchObject({ status: 200, body: { [part]: { [field]: valid } } });
    expect(violations(await patch(invalid))).toEqual([`body.${path}`]);
  },
);

test("a read of one deployment with a query gets 422", async () => {
  expect(violations(await call(emulator, "GET /v2/deployments/some-id?limit=1"))).toEqual(["query.limit"]);
});

const badSecrets = [{ name: "A", value: 12345 }, { name: "B" }, { name: "C", value: "c", x: 1 }, "D=d"];

const wrongTypes = createRequest({
  source_config: { build_on_push: "false", resource_spec: "{}", custom_url: 1, surplus: 1 },
});

test.each<[what: string, method: "POST" | "PATCH", body: unknown, places: string[]]>([
  ["broken JSON", "POST", "{", ["body"]],
  ["no body", "POST", "", ["body"]],
  ["a text", "POST", '"name"', ["body"]],
  ["null", "POST", "null", ["body"]],
  ["a list", "PATCH", [], ["body"]],
  ["nothing", "POST", {}, ["name", "secrets", "source", "source_config", "source_revision_config"]],
  ["unknown fields", "POST", createRequest({ tags: [], branch: "main" }), ["branch", "tags"]],
  ["fixed fields", "PATCH", { name: "new", source: "github" }, ["name", "source"]],
  ["an unknown ref", "PATCH", { source_revision_config: { ref: "main" } }, ["source_revision_config.ref"]],
  ["an empty name", "POST", createRequest({ name: "" }), ["name"]],
  [
    "wrong types",
    "POST",
    wrongTypes,
    ["build_on_push", "custom_url", "resource_spec", "surplus"].map((field) => `source_config.${field}`),
  ],
  [
    "a list as resource_spec",
    "POST",
    requestWith("source_config.resource_spec", []),
    ["source_config.resource_spec"],
  ],
  ["a list as source_config", "PATCH", { source_config: [] }, ["source_config"]],
  ["null as secrets", "PATCH", { secrets: null }, ["secrets"]],
  [
    "bad secrets",
    "POST",
    createRequest({ secrets: badSecrets }),
    ["secrets.0.value", "secrets.1.value", "secrets.2.x", "secrets.3"],
  ],
])(
  "%s in a %s gets 422 with every violation and no value, and changes nothing",
  async (_, method, body, places) => {
    const path = method === "PATCH" ? `/${(await create(emulator)).id}` : "";
    const before = emulator.deployments();

    const response = await call(emulator, `${method} /v2/deployments${path}`, body);

    expect(violations(response)).toEqual(places.map((one) => (one === "body" ? one : `body.${one}`)));
    expect(JSON.stringify(response.body)).not.toContain("12345");
    expect(emulator.deployments()).toEqual(before);
  },
);

test("a body without the content type of JSON gets 422", async () => {
  const headers = { "Content-Type": "text/plain" };

  const response = await call(emulator, "POST /v2/deployments", createRequest(), headers);

  expect(violations(response)).toEqual(["body"]);
});

test.each([
  ["limit=0", ["query.limit"]],
  ["limit=101", ["query.limit"]],
  ["limit=ten&offset=-1", ["query.limit", "query.offset"]],
  ["limit=", ["query.limit"]],
  ["limit=5&limit=6", ["query.limit"]],
  ["name=x&page=2", ["query.name", "query.page"]],
])("a list of deployments with the query %s gets 422", async (query, places) => {
  expect(violations(await call(emulator, `GET /v2/deployments?${query}`))).toEqual(places);
});

test("an unknown path gets 404, and an unsupported method 405 with those that are supported", async () => {
  for (const line of ["GET /v2/nothing", "GET /nothing", "GET /", "GET /v2/deployments/a/b/c/d"]) {
    expect(await call(emulator, line)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
  }
  const put = await call(emulator, "PUT /v2/deployments/some-id");
  expect(put).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(put.headers.get("allow")).toBe("GET, PATCH, DELETE");
});

test("a request without the right key gets 401, and without the right workspace 403", async () => {
  const url = `${emulator.url}/v2/deployments/some-id`;
  const key = { "X-Api-Key": emulator.apiKey };
  const workspace = { "X-Tenant-Id": emulator.workspaceId };
  const cases: [Record<string, string>, number][] = [
    [workspace, 401],
    [{ ...workspace, "X-Api-Key": "wrong" }, 401],
    [key, 403],
    [{ ...key, "X-Tenant-Id": "11111111-1111-4111-8111-111111111111" }, 403],
  ];

  for (const [headers, status] of cases) {
    for (const path of ["", "/revisions", "/revisions/some-revision"]) {
      const response = await fetch(url + path, { headers });
      expect([response.status, await response.json()]).toEqual([status, { detail: expect.any(String) }]);
    }
  }
});
