import { describe, expect, test } from "@jest/globals";
import { defaultCreate, spelled, startScenario, writes } from "../../support/scenario.ts";

test("a name that is nowhere is created, and its first revision is waited for", async () => {
  const { deploy, held } = await startScenario();
  const run = await deploy();
  expect(writes(run.requests).map(({ body }) => body)).toEqual([defaultCreate]);
  const made = held();
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toEqual({
    deployment_id: made.id,
    revision_id: made.latest_revision_id,
    status: "DEPLOYED",
    outcome: "deployed",
    created: "true",
    deployment_url: made.url,
    duration_seconds: String(Math.round(run.took)),
  });
  expect(run.errors).toEqual([]);
  expect(run.warnings).toEqual([]);
  expect(run.log).toContain(`Created deployment agent (id ${made.id}).`);
  expect(run.summary).toContain("## ✅ Deployment `agent`: deployed");
  expect(run.summary).toContain("created by this run");
});

test("every request carries the key, the workspace and, with a body, its type", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy();
  for (const { headers } of run.requests) {
    expect(headers).toMatchObject({ "x-api-key": "<redacted>", "x-tenant-id": emulator.workspaceId });
  }
  expect(writes(run.requests)[0]?.headers).toMatchObject({ "content-type": "application/json" });
});

test("what follows the write asks for nothing but this run's revision, and at last for the deployment", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy();
  const { deployment_id: id, revision_id: revisionId } = run.outputs;
  expect(spelled(run.requests)).toEqual([
    "GET /v2/deployments 200",
    "POST /v2/deployments 201",
    `GET /v2/deployments/${id}/revisions/${revisionId} 200`,
    `GET /v2/deployments/${id} 200`,
  ]);
});

test("the prefix of a self-hosted control plane and a trailing slash are kept in order", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ control_plane_url: `${emulator.url}/api-host/` });
  expect(run.succeeded).toBe(true);
  for (const { path } of run.requests) expect(path).toMatch(/^\/api-host\/v2\/deployments(\/[^/]|$)/);
});

test("everything that was given goes into the create request", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    source: "github",
    repo_url: "https://github.com/octo-org/other",
    deployment_type: "prod",
    build_on_push: "true",
    custom_url: "https://agent.example.com",
    resource_spec: '{"cpu": 2, "nested": {"a": [null]}}',
    repo_ref: "release",
    secrets: "A=1\nB==#two #",
  });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    {
      name: "agent",
      source: "github",
      source_config: {
        integration_id: "integration-1",
        repo_url: "https://github.com/octo-org/other",
        deployment_type: "prod",
        build_on_push: true,
        custom_url: "https://agent.example.com",
        resource_spec: { cpu: 2, nested: { a: [null] } },
      },
      source_revision_config: { repo_ref: "release", app_config_path: "app/config.json", image_uri: null },
      secrets: [
        { name: "A", value: "1" },
        { name: "B", value: "=#two #" },
      ],
    },
  ]);
  expect(run.outputs.deployment_url).toBe("https://agent.example.com");
});

test("an image source needs neither a repository nor an integration, and the run's ref isn't sent", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    source: "external_docker",
    image_uri: "registry.example.com/agent:1",
    integration_id: "",
    app_config_path: "",
  });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    {
      ...defaultCreate,
      source: "external_docker",
      source_config: { ...defaultCreate.source_config, integration_id: null, repo_url: null },
      source_revision_config: {
        repo_ref: null,
        app_config_path: null,
        image_uri: "registry.example.com/agent:1",
      },
    },
  ]);
  expect(run.outputs.outcome).toBe("deployed");
});

describe("the ref, if none is given, is", () => {
  test.each([
    ["the branch of the run", { GITHUB_REF: "refs/heads/feature/x" }, "feature/x"],
    ["the tag of the run", { GITHUB_REF: "refs/tags/v1.2" }, "refs/tags/v1.2"],
    [
      "the head branch of the pull request",
      { GITHUB_REF: "refs/pull/7/merge", GITHUB_HEAD_REF: "topic", GITHUB_EVENT_NAME: "pull_request" },
      "topic",
    ],
  ])("%s", async (_what, env, ref) => {
    const { deploy } = await startScenario({ statusSeconds: 0 });
    const run = await deploy({}, env);
    expect(writes(run.requests)).toMatchObject([{ body: { source_revision_config: { repo_ref: ref } } }]);
    expect(run.succeeded).toBe(true);
  });
});

test("what only a create needs is asked for when it turns out that one is needed", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ integration_id: "", app_config_path: "" });
  expect(run.succeeded).toBe(false);
  expect(writes(run.requests)).toEqual([]);
  expect(run.errors).toHaveLength(2);
  expect(run.errors[0]).toContain("Input integration_id has to be given to create");
  expect(run.errors[1]).toContain("Input app_config_path has to be given to create");
  expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "0" });
});
