// The names, fields and rules of the `langsmith` dialect.
import { expect, test } from "@jest/globals";
import { call, deploymentIn, revisionsOf, violations } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import {
  create,
  createRequest,
  INTEGRATION_ID,
  imageRequest,
  onRef,
  readRevision,
  refusalIn,
  UNKNOWN_ID,
} from "../support/langsmith.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const emulator = await useEmulator({ platform: "langsmith", commits: { main: SHA, next: SHA } });

test("a deployment and a revision have every field, and secrets have a masked value", async () => {
  const request = createRequest({ secrets: [{ name: "FIRST", value: "canary" }] });
  const createdAt = emulator.time();

  const response = await call(emulator, "POST /v2/deployments", request);

  const { id, latest } = deploymentIn(response);
  const revisionConfig = {
    ...request.source_revision_config,
    source_tarball_path: null,
    repo_commit_sha: SHA,
  };
  const unset = { listener_id: null, listener_config: null, install_command: null, build_command: null };
  const created = {
    ...request,
    id,
    tenant_id: emulator.workspaceId,
    source_config: { ...request.source_config, ...unset },
    source_revision_config: revisionConfig,
    secrets: [{ name: "FIRST", value: "********" }],
    status: "READY",
    latest_revision_id: latest,
    active_revision_id: null,
    url: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
  expect(response.status).toBe(201);
  expect(response.body).toEqual(created);

  emulator.pass(6);
  const url = `${emulator.url}/live/${request.name}`;
  expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toEqual({
    ...created,
    active_revision_id: latest,
    url,
    source_config: { ...created.source_config, custom_url: url },
  });
  expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).body).toEqual({
    id: latest,
    status: "DEPLOYED",
    status_message: null,
    created_at: createdAt,
    updated_at: emulator.time(),
    source: "github",
    source_revision_config: revisionConfig,
  });
});

test("absent fields are null, and a null in an update changes nothing", async () => {
  const request = imageRequest({ source_config: { resource_spec: {}, listener_id: INTEGRATION_ID } });
  const { id, latest } = await create(emulator, request);

  const { body } = await call(emulator, `PATCH /v2/deployments/${id}`, {
    source_config: { listener_id: null, integration_id: null },
    source_revision_config: { image_uri: null },
    secrets: null,
  });

  expect(body).toMatchObject({
    latest_revision_id: latest,
    source_config: { integration_id: null, repo_url: null, listener_id: INTEGRATION_ID },
    source_revision_config: { image_uri: "registry.example/agent:1", langgraph_config_path: null },
  });
});

test.each<[string, number, object]>([
  ["a ref", 2, { source_revision_config: { repo_ref: "next" } }],
  ["a configuration file", 2, { source_revision_config: { langgraph_config_path: "b.json" } }],
  ["secrets", 2, { secrets: [] }],
  ["a resource_spec", 2, { source_config: { resource_spec: { cpu: 2 } } }],
  ["build_on_push alone", 1, { source_config: { build_on_push: true } }],
  ["an empty revision configuration", 1, { source_revision_config: {} }],
  ["nothing but nulls", 1, { source_config: null, source_revision_config: { repo_ref: null } }],
  ["unchanged fixed fields", 1, { source_config: createRequest().source_config }],
])("after an update with %s, a deployment with one revision has %d", async (_, count, body) => {
  const { id } = await create(emulator);

  expect((await call(emulator, `PATCH /v2/deployments/${id}`, body)).status).toBe(200);

  expect((await revisionsOf(emulator, id)).ids).toHaveLength(count);
});

const standardPath = { source_revision_config: { app_config_path: "a.json" } };

test.each([
  ["an unknown source", { source: "gitlab" }, ["source"]],
  ["no UUID as integration_id", { source_config: { integration_id: "x" } }, ["source_config.integration_id"]],
  ["no UUID as listener_id", { source_config: { listener_id: "x" } }, ["source_config.listener_id"]],
  ["unknown fields", { source_config: { branch: "x" }, tags: [] }, ["source_config.branch", "tags"]],
  ["the standard app_config_path", standardPath, ["source_revision_config.app_config_path"]],
])("a create with %s gets 422", async (_, replaced, fields) => {
  const response = await call(emulator, "POST /v2/deployments", createRequest(replaced));

  expect(violations(response)).toEqual(fields.map((field) => `body.${field}`));
});

test("an id that is not a UUID gets 422, and an unknown one 404", async () => {
  const { id } = await create(emulator);
  for (const [line, parameter] of [
    ["GET /v2/deployments/some-id", "deployment_id"],
    ["PATCH /v2/deployments/some-id", "deployment_id"],
    ["DELETE /v2/deployments/some-id", "deployment_id"],
    ["GET /v2/deployments/some-id/revisions", "deployment_id"],
    [`GET /v2/deployments/${id}/revisions/some-id`, "revision_id"],
    [`GET /v2/deployments/${id}/revisions/some-id/logs?type=build`, "revision_id"],
    [`POST /v2/deployments/${id}/revisions/some-id/redeploy`, "revision_id"],
    [`POST /v2/deployments/${id}/revisions/some-id/interrupt`, "revision_id"],
  ] as const) {
    const body = line.startsWith("PATCH") ? {} : undefined;
    const unknown = await call(emulator, line.replace("some-id", UNKNOWN_ID), body);

    expect(violations(await call(emulator, line, body))).toEqual([`path.${parameter}`]);
    expect(refusalIn(unknown)).toEqual([404, expect.stringContaining(UNKNOWN_ID)]);
  }
});

const taken = { status: 409, body: { detail: expect.stringMatching(/'agent-\d+' already exists/) } };

test.each([
  ["=true", "frees its name", { status: 201 }],
  ["=false", "leaves the tracing project behind, and its name taken", taken],
  ["", "leaves the tracing project behind, and its name taken", taken],
])("a delete with delete_tracing_project%s %s", async (value, _what, again) => {
  const request = createRequest();
  const one = `DELETE /v2/deployments/${(await create(emulator, request)).id}`;

  expect(violations(await call(emulator, `${one}?delete_tracing_project=maybe`))).toHaveLength(1);
  expect((await call(emulator, `${one}${value && `?delete_tracing_project${value}`}`)).status).toBe(204);

  const list = await call(emulator, `GET /v2/deployments?name_contains=${request.name}`);
  expect(list.body).toMatchObject({ resources: [] });
  expect(await call(emulator, "POST /v2/deployments", request)).toMatchObject(again);
});

test("name lists the deployment of exactly this name, and the standard dialect doesn't know it", async () => {
  const { name, ...rest } = createRequest();
  await create(emulator, { name, ...rest });
  await create(emulator, { name: `${name}-2`, ...rest });
  const namesBy = async (query: string) => {
    const { body } = await call(emulator, `GET /v2/deployments?${query}`);
    return Object(body).resources.map((one: { name: string }) => one.name);
  };

  expect(await namesBy(`name_contains=${name}`)).toEqual([name, `${name}-2`]);
  expect(await namesBy(`name=${name}&name_contains=${name}&limit=100&offset=0`)).toEqual([name]);
  expect(await namesBy(`name=${name}-3`)).toEqual([]);
  await withEmulator({}, async (standard) => {
    expect((await call(standard, `GET /v2/deployments?name=${name}`)).status).toBe(422);
  });
});

test("the standard dialect has none of the additional endpoints", () =>
  withEmulator({}, async (standard) => {
    const revision = `/v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}`;
    for (const line of [
      "GET /v1/integrations/github/install",
      `GET ${revision}/logs?type=build`,
      `POST ${revision}/redeploy`,
      `POST ${revision}/interrupt`,
      "GET /live/my-agent/",
    ]) {
      expect(await call(standard, line)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    }
  }));

test("a name starts with a letter and has at most 63 lower-case letters, digits and dashes", async () => {
  const post = (name: string) => call(emulator, "POST /v2/deployments", createRequest({ name }));

  for (const name of ["a", "agent-2", "a--", "a".repeat(63)]) {
    expect([name, (await post(name)).status]).toEqual([name, 201]);
  }
  for (const name of ["Agent", "2-a", "-agent", "my_agent", "my agent", "agent.", "ágent", "a".repeat(64)]) {
    expect(refusalIn(await post(name))).toEqual([400, expect.stringContaining("63 lower-case letters")]);
  }
});

const OWN_CLUSTER = "external_docker requires resource_spec and rejects deployment_type on create";
const tag = { source_revision_config: { repo_ref: "refs/tags/v1" } };
const onPush = { source_config: { build_on_push: true } };
const customUrl = { source_config: { custom_url: "https://agent.example" } };
const reserved = (name: string) => ({ secrets: [{ name, value: "canary" }] });
const imageWithFile = { image_uri: "registry.example/a:1", langgraph_config_path: "a.json" };

test.each([
  ["integration_id is required", createRequest({ source_config: { integration_id: null } })],
  ["repo_url is required", createRequest({ source_config: { repo_url: null } })],
  ["repo_ref is required", createRequest({ source_revision_config: { repo_ref: null } })],
  ["config_path is required", createRequest({ source_revision_config: { langgraph_config_path: null } })],
  ["image_uri is required", imageRequest({ source_revision_config: {} })],
  ["langgraph_config_path has to be null", imageRequest({ source_revision_config: imageWithFile })],
  ["custom_url can only be set", createRequest(customUrl)],
  ["build_on_push can't be enabled", createRequest({ ...tag, ...onPush })],
  ["not refs/heads/main", onRef("refs/heads/main")],
  [OWN_CLUSTER, imageRequest({ source_config: { resource_spec: {}, deployment_type: "dev" } })],
  [OWN_CLUSTER, imageRequest({ source_config: { resource_spec: null } })],
  ["LOG_JSON is reserved", createRequest(reserved("LOG_JSON"))],
])("a create is refused with 400 because %s", async (reason, request) => {
  const before = emulator.deployments().length;

  const response = await call(emulator, "POST /v2/deployments", request);

  expect(refusalIn(response)).toEqual([400, expect.stringContaining(reason)]);
  expect(emulator.deployments()).toHaveLength(before);
});

test.each([
  ["integration_id can't be changed", {}, { source_config: { integration_id: UNKNOWN_ID } }],
  ["deployment_type can't be changed", {}, { source_config: { deployment_type: "prod" } }],
  ["listener_id can't be changed", {}, { source_config: { listener_id: UNKNOWN_ID } }],
  ["build_on_push can't be enabled", {}, { ...onPush, ...tag }],
  ["build_on_push can't be enabled for a tag", onPush, tag],
  ["build_on_push can't be enabled for a tag.", tag, onPush],
  ["LANGCHAIN_API_KEY is reserved", {}, reserved("LANGCHAIN_API_KEY")],
  ["custom_url can only be set", {}, customUrl],
  ["not refs/heads/next", {}, { source_revision_config: { repo_ref: "refs/heads/next" } }],
])("an update is refused with 400 because %s", async (reason, existing, body) => {
  const { id } = await create(emulator, createRequest(existing));
  const before = emulator.deployments();

  const response = await call(emulator, `PATCH /v2/deployments/${id}`, body);

  expect(refusalIn(response)).toEqual([400, expect.stringContaining(reason)]);
  expect(emulator.deployments()).toEqual(before);
});

test.each(["dev_zero", "dev_free_zero", "serverless"])(
  "the region aws-us refuses the type %s, which scales to zero, and takes dev",
  (deployment_type) =>
    withEmulator({ platform: "langsmith", region: "aws-us" }, async (own) => {
      const post = (type: string) =>
        call(own, "POST /v2/deployments", createRequest({ source_config: { deployment_type: type } }));

      expect(refusalIn(await post(deployment_type))).toEqual([
        400,
        "Scale to zero deployments are not supported in AWS environments",
      ]);
      expect((await post("dev")).status).toBe(201);
    }),
);

test("a push token is refused, because there is no registry", async () => {
  const { id } = await create(emulator, imageRequest());
  const body = { supports_registry_username: true };

  const refused = await call(emulator, `POST /v2/deployments/${id}/push-token`, body);
  const unknown = await call(emulator, `POST /v2/deployments/${UNKNOWN_ID}/push-token`, body);

  expect(refusalIn(refused)).toEqual([400, expect.stringContaining("has no registry")]);
  expect(unknown.status).toBe(404);
});

test.each([SHA, "refs/pull/7/merge"])("the build of the ref %s fails", async (ref) => {
  const { id, latest } = await create(emulator, onRef(ref));
  emulator.pass(60);

  expect(await readRevision(emulator, id, latest)).toMatchObject({
    status: "BUILD_FAILED",
    status_message: expect.stringContaining(ref),
    source_revision_config: { repo_commit_sha: null },
  });
});
