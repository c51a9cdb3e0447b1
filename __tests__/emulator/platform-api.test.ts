// The tables of platform-api, one after the other, held against the emulator.
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { call, complaints, create, createRequest, withEmulator } from "./support/client.ts";

/** A copy with the value at a dotted path replaced, or, with undefined, left out. */
function changed(request: object, path: string, value: unknown): unknown {
  return setAt(request, path.split("."), value);
}

function setAt(target: unknown, [key = "", ...rest]: string[], value: unknown): unknown {
  const fields = v.parse(v.record(v.string(), v.unknown()), target);
  if (rest.length > 0) return { ...fields, [key]: setAt(fields[key], rest, value) };
  const { [key]: _, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
}

// "Deployment (create request)": field, a good value of its type, a wrong one, and whether it may be null.
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

test.each(fields)("create: %s has its type and has to be there", (path, good, wrong, nullable) =>
  withEmulator({}, async (emulator) => {
    const post = (value: unknown) =>
      call(emulator, "POST /v2/deployments", changed(createRequest(), path, value));
    expect(complaints(await post(wrong))).toEqual([`body.${path}`]);
    expect(complaints(await post(undefined))).toEqual([`body.${path}`]);
    const withNull = await post(null);
    if (nullable) expect(withNull.status).toBe(201);
    else expect(complaints(withNull)).toEqual([`body.${path}`]);
    const other = changed(createRequest({ name: "yet-another" }), path, good);
    expect((await call(emulator, "POST /v2/deployments", other)).status).toBe(201);
  }),
);

test.each(fields.filter(([path]) => path.includes(".")))("update: %s alone is enough", (path, good, wrong) =>
  withEmulator({}, async (emulator) => {
    const { id } = await create(emulator);
    const [part = "", field = ""] = path.split(".");
    const patch = (value: unknown) =>
      call(emulator, `PATCH /v2/deployments/${id}`, { [part]: { [field]: value } });
    expect(await patch(good)).toMatchObject({ status: 200, body: { [part]: { [field]: good } } });
    expect(complaints(await patch(wrong))).toEqual([`body.${path}`]);
  }),
);

test("other sources send null for what doesn't apply to them", () =>
  withEmulator({}, async (emulator) => {
    const request = createRequest({
      source: "external_docker",
      source_config: { ...createRequest().source_config, integration_id: null, repo_url: null },
      source_revision_config: {
        repo_ref: null,
        app_config_path: null,
        image_uri: "registry.example/agent:1",
      },
    });
    expect((await call(emulator, "POST /v2/deployments", request)).status).toBe(201);
  }));

// "Control plane: deployments" and "Auth service": the success codes of every operation, in one life.
test.each(["", "/api-host"])("endpoints under '%s/v2' answer with their success codes", (prefix) =>
  withEmulator({}, async (emulator) => {
    const { id, latest } = await create(emulator);
    const one = `${prefix}/v2/deployments/${id}`;
    const lines: [string, unknown, number][] = [
      [`POST ${prefix}/v2/deployments`, createRequest({ name: "second" }), 201],
      [`GET ${one}`, undefined, 200],
      [
        `PATCH ${one}`,
        { source_config: { build_on_push: false }, source_revision_config: { repo_ref: "x" } },
        200,
      ],
      [`GET ${one}/revisions`, undefined, 200],
      [`GET ${one}/revisions/${latest}`, undefined, 200],
      [`PATCH ${prefix}/v2/auth/providers/local-provider`, { name: "x" }, 200],
      [`DELETE ${one}`, undefined, 204],
    ];
    for (const [line, body, status] of lines) {
      expect({ line, status: (await call(emulator, line, body)).status }).toEqual({ line, status });
    }
  }),
);
