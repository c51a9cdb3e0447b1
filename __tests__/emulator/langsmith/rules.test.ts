// What is refused there although the schema takes it (platform-field-notes, Rules).
import { expect, test } from "@jest/globals";
import { call } from "../support/client.ts";
import {
  create,
  createRequest,
  detailOf,
  INTEGRATION_ID,
  imageRequest,
  readRevision,
  UNKNOWN_ID,
  withLangsmith,
} from "../support/langsmith.ts";

const { source_config: config, source_revision_config: revision } = createRequest();

test.each(["a", "agent-2", "a--", "a".repeat(63)])("the name %s is fine", (name) =>
  withLangsmith({}, async ({ emulator }) => {
    expect((await call(emulator, "POST /v2/deployments", createRequest({ name }))).status).toBe(201);
  }),
);

test.each(["Agent", "2-agents", "-agent", "my_agent", "my agent", "agent.", "ágent", "a".repeat(64)])(
  "the name %s is refused",
  (name) =>
    withLangsmith({}, async ({ emulator }) => {
      const answer = await call(emulator, "POST /v2/deployments", createRequest({ name }));
      expect(answer.status).toBe(400);
      expect(detailOf(answer)).toContain("63 lower-case letters");
      expect(emulator.deployments()).toEqual([]);
    }),
);

test("a name that is taken answers 409", () =>
  withLangsmith({}, async ({ emulator }) => {
    await create(emulator);
    const again = await call(emulator, "POST /v2/deployments", createRequest());
    expect({ status: again.status, detail: detailOf(again) }).toEqual({
      status: 409,
      detail: expect.stringContaining("my-agent"),
    });
  }));

test.each([
  [
    "github without an integration",
    createRequest({ source_config: { ...config, integration_id: null } }),
    "integration_id is required",
  ],
  [
    "github without a repository",
    createRequest({ source_config: { ...config, repo_url: null } }),
    "repo_url is required",
  ],
  [
    "github without a ref",
    createRequest({ source_revision_config: { ...revision, repo_ref: null } }),
    "repo_ref is required",
  ],
  [
    "github without a configuration file",
    createRequest({ source_revision_config: { repo_ref: "main" } }),
    "langgraph_config_path is required",
  ],
  ["an image source without an image", imageRequest({ source_revision_config: {} }), "image_uri is required"],
  [
    "an image source with a configuration file",
    imageRequest({
      source_revision_config: { image_uri: "registry.example/a:1", langgraph_config_path: "a.json" },
    }),
    "langgraph_config_path has to be null",
  ],
  [
    "a custom_url for github",
    createRequest({ source_config: { ...config, custom_url: "https://agent.example" } }),
    "custom_url",
  ],
  [
    "a tag that is to be built on push",
    createRequest({
      source_config: { ...config, build_on_push: true },
      source_revision_config: { ...revision, repo_ref: "refs/tags/v1" },
    }),
    "build_on_push",
  ],
  ["a reserved secret", createRequest({ secrets: [{ name: "PORT", value: "canary" }] }), "PORT is reserved"],
])("a create of %s answers 400 with the reason", (_, request, reason) =>
  withLangsmith({}, async ({ emulator }) => {
    const answer = await call(emulator, "POST /v2/deployments", request);
    expect({ status: answer.status, detail: detailOf(answer) }).toEqual({
      status: 400,
      detail: expect.stringContaining(reason),
    });
    expect(emulator.deployments()).toEqual([]);
  }),
);

test.each([
  [
    "another integration",
    { source_config: { integration_id: UNKNOWN_ID } },
    "integration_id can't be changed",
  ],
  [
    "another repository",
    { source_config: { repo_url: "https://github.com/octo-org/other" } },
    "repo_url can't be changed",
  ],
  [
    "another deployment_type",
    { source_config: { deployment_type: "prod" } },
    "deployment_type can't be changed",
  ],
  ["a listener", { source_config: { listener_id: UNKNOWN_ID } }, "listener_id can't be changed"],
  [
    "a tag that is to be built on push",
    { source_config: { build_on_push: true }, source_revision_config: { repo_ref: "refs/tags/v1" } },
    "build_on_push",
  ],
  [
    "a reserved secret",
    { secrets: [{ name: "LANGSMITH_API_KEY", value: "canary" }] },
    "LANGSMITH_API_KEY is reserved",
  ],
  ["a custom_url", { source_config: { custom_url: "https://agent.example" } }, "custom_url"],
])("an update with %s answers 400 and changes nothing", (_, body, reason) =>
  withLangsmith({}, async ({ emulator }) => {
    await create(emulator);
    const [before] = emulator.deployments();
    const answer = await call(emulator, `PATCH /v2/deployments/${before?.id}`, body);
    expect({ status: answer.status, detail: detailOf(answer) }).toEqual({
      status: 400,
      detail: expect.stringContaining(reason),
    });
    expect(emulator.deployments()).toEqual([before]);
  }),
);

test("what can't be changed may be said again", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id } = await create(emulator);
    const { integration_id, repo_url, deployment_type } = config;
    const body = { source_config: { integration_id, repo_url, deployment_type } };
    expect(integration_id).toBe(INTEGRATION_ID);
    expect((await call(emulator, `PATCH /v2/deployments/${id}`, body)).status).toBe(200);
  }));

test.each([
  ["main", true, { source_revision_config: { repo_ref: "refs/tags/v1" } }],
  ["refs/tags/v1", false, { source_config: { build_on_push: true } }],
])(
  "deployed is %s, build_on_push is %s: a tag and a build on push don't come together later",
  (ref, push, body) =>
    withLangsmith({}, async ({ emulator }) => {
      const { id } = await create(
        emulator,
        createRequest({
          source_config: { ...config, build_on_push: push },
          source_revision_config: { ...revision, repo_ref: ref },
        }),
      );
      expect((await call(emulator, `PATCH /v2/deployments/${id}`, body)).status).toBe(400);
    }),
);

test.each(["0123456789abcdef0123456789abcdef01234567", "refs/heads/main", "refs/pull/7/merge"])(
  "the ref %s is taken, and can't be built",
  (ref) =>
    withLangsmith({}, async ({ emulator, pass }) => {
      const { id, latest } = await create(
        emulator,
        createRequest({ source_revision_config: { ...revision, repo_ref: ref } }),
      );
      pass(60);
      expect(await readRevision(emulator, id, latest)).toMatchObject({
        status: "BUILD_FAILED",
        status_message: expect.stringContaining(ref),
        source_revision_config: { repo_commit_sha: null },
      });
    }),
);

test("a tag is built", () =>
  withLangsmith({}, async ({ emulator, pass }) => {
    const { id, latest } = await create(
      emulator,
      createRequest({ source_revision_config: { ...revision, repo_ref: "refs/tags/v1" } }),
    );
    pass(60);
    expect(await readRevision(emulator, id, latest)).toMatchObject({
      status: "DEPLOYED",
      status_message: null,
    });
  }));
