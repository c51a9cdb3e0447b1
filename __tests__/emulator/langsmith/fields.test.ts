// Which names and shapes requests and answers have there (platform-field-notes, Names and Fields).
import { expect, test } from "@jest/globals";
import { call, complaints, deploymentIn, withEmulator } from "../support/client.ts";
import {
  create,
  createRequest,
  deployRef,
  detailOf,
  INTEGRATION_ID,
  imageRequest,
  START,
  UNKNOWN_ID,
  withLangsmith,
} from "../support/langsmith.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const BUILT = {
  repo_ref: "main",
  langgraph_config_path: "langgraph.json",
  image_uri: null,
  source_tarball_path: null,
  repo_commit_sha: SHA,
};

test("a deployment has every field there is, and its secrets no value", () =>
  withLangsmith({ commits: { main: SHA } }, async ({ emulator, pass }) => {
    const secrets = [{ name: "FIRST", value: "canary" }];
    const answer = await call(emulator, "POST /v2/deployments", createRequest({ secrets }));
    const { id, latest } = deploymentIn(answer);
    const created = {
      id,
      tenant_id: emulator.workspaceId,
      name: "my-agent",
      source: "github",
      source_config: {
        ...createRequest().source_config,
        listener_id: null,
        listener_config: null,
        install_command: null,
        build_command: null,
      },
      source_revision_config: BUILT,
      secrets: [{ name: "FIRST", value: "********" }],
      status: "READY",
      latest_revision_id: latest,
      active_revision_id: null,
      url: null,
      created_at: new Date(START).toISOString(),
      updated_at: new Date(START).toISOString(),
    };
    expect(answer).toMatchObject({ status: 201, body: created });
    expect(answer.body).toEqual(created);

    pass(6);
    const url = `${emulator.url}/live/my-agent`;
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toEqual({
      ...created,
      active_revision_id: latest,
      url,
      source_config: { ...created.source_config, custom_url: url },
    });
  }));

test("a revision has every field there is", () =>
  withLangsmith({ commits: { main: SHA } }, async ({ emulator, pass }) => {
    const { id, latest } = await create(emulator);
    pass(6);
    expect((await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}`)).body).toEqual({
      id: latest,
      status: "DEPLOYED",
      status_message: null,
      created_at: "2026-03-02T09:00:00.000Z",
      updated_at: "2026-03-02T09:00:06.000Z",
      source: "github",
      source_revision_config: BUILT,
    });
  }));

test("the other platform's name for the configuration file is unknown, there and here", async () => {
  const withName = (name: string) =>
    createRequest({ source_revision_config: { repo_ref: "main", [name]: "a.json", image_uri: null } });
  await withLangsmith({}, async ({ emulator }) => {
    const post = await call(emulator, "POST /v2/deployments", withName("app_config_path"));
    expect(complaints(post)).toEqual(["body.source_revision_config.app_config_path"]);
    const { id } = await create(emulator, withName("langgraph_config_path"));
    const patch = await call(emulator, `PATCH /v2/deployments/${id}`, {
      source_revision_config: { app_config_path: "b.json" },
    });
    expect(complaints(patch)).toEqual(["body.source_revision_config.app_config_path"]);
  });
  await withEmulator({}, async (emulator) => {
    const post = await call(emulator, "POST /v2/deployments", withName("langgraph_config_path"));
    expect(complaints(post)).toEqual([
      "body.source_revision_config.app_config_path",
      "body.source_revision_config.langgraph_config_path",
    ]);
  });
});

test("what isn't given is null, and a null changes nothing", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id, latest } = await create(
      emulator,
      imageRequest({ source_config: { listener_id: INTEGRATION_ID } }),
    );
    const patch = await call(emulator, `PATCH /v2/deployments/${id}`, {
      source_config: { listener_id: null, integration_id: null },
      source_revision_config: { image_uri: null },
      secrets: null,
    });
    expect(patch).toMatchObject({
      status: 200,
      body: {
        latest_revision_id: latest,
        source_config: { integration_id: null, repo_url: null, listener_id: INTEGRATION_ID },
        source_revision_config: { image_uri: "registry.example/agent:1", langgraph_config_path: null },
      },
    });
  }));

test.each([
  ["a ref", { source_revision_config: { repo_ref: "main" } }, 2],
  ["a configuration file", { source_revision_config: { langgraph_config_path: "b.json" } }, 2],
  ["secrets", { secrets: [] }, 2],
  ["a resource_spec", { source_config: { resource_spec: { cpu: 2 } } }, 2],
  ["build_on_push alone", { source_config: { build_on_push: true } }, 1],
  ["an empty revision configuration", { source_revision_config: {} }, 1],
  ["only nulls", { source_config: null, source_revision_config: { repo_ref: null }, secrets: null }, 1],
  ["nothing", {}, 1],
])("an update with %s", (_, body, revisions) =>
  withLangsmith({}, async ({ emulator }) => {
    const { id } = await create(emulator);
    expect((await call(emulator, `PATCH /v2/deployments/${id}`, body)).status).toBe(200);
    expect(emulator.deployments()[0]?.revisions).toHaveLength(revisions);
  }),
);

test("a deployment's revision configuration is that of its latest revision", () =>
  withLangsmith({ commits: { next: SHA } }, async ({ emulator }) => {
    const { id } = await create(emulator);
    await deployRef(emulator, id, "next");
    expect((await call(emulator, `GET /v2/deployments/${id}`)).body).toMatchObject({
      source_revision_config: {
        repo_ref: "next",
        langgraph_config_path: "langgraph.json",
        repo_commit_sha: SHA,
      },
    });
  }));

test.each([
  ["an unknown source", createRequest({ source: "gitlab" }), ["body.source"]],
  ["an unknown deployment_type", withConfig({ deployment_type: "large" }), ["deployment_type"]],
  ["an integration_id that is no UUID", withConfig({ integration_id: "integration-1" }), ["integration_id"]],
  ["a listener_id that is no UUID", withConfig({ listener_id: "listener" }), ["listener_id"]],
  ["unknown fields", { ...withConfig({ branch: "main" }), tags: [] }, ["branch", "body.tags"]],
])("a create with %s answers 422", (_, request, fields) =>
  withLangsmith({}, async ({ emulator }) => {
    const places = fields.map((field) => (field.includes(".") ? field : `body.source_config.${field}`));
    expect(complaints(await call(emulator, "POST /v2/deployments", request))).toEqual(places);
    expect(emulator.deployments()).toEqual([]);
  }),
);

function withConfig(config: Record<string, unknown>) {
  return createRequest({ source_config: { ...createRequest().source_config, ...config } });
}

test("an id that is no UUID answers 422, one of nothing 404", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id } = await create(emulator);
    for (const [line, place] of [
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
      expect(complaints(await call(emulator, line, body))).toEqual([`path.${place}`]);
      const unknown = await call(emulator, line.replace("some-id", UNKNOWN_ID), body);
      expect(unknown.status).toBe(404);
      expect(detailOf(unknown)).toContain(UNKNOWN_ID);
    }
  }));

test("a delete may say what becomes of the tracing project", () =>
  withLangsmith({}, async ({ emulator }) => {
    const { id } = await create(emulator);
    const one = `DELETE /v2/deployments/${id}`;
    expect(complaints(await call(emulator, `${one}?delete_tracing_project=maybe`))).toEqual([
      "query.delete_tracing_project",
    ]);
    expect((await call(emulator, `${one}?delete_tracing_project=true`)).status).toBe(204);
  }));

test("without the option there are none of the endpoints beyond platform-api", () =>
  withEmulator({}, async (emulator) => {
    for (const line of [
      "GET /v1/integrations/github/install",
      `GET /v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}/logs?type=build`,
      `POST /v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}/redeploy`,
      `POST /v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}/interrupt`,
      "GET /live/my-agent/",
    ]) {
      expect(await call(emulator, line)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    }
  }));
