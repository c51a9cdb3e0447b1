import { expect, test } from "@jest/globals";
import { defaultCreate, requestLines, startScenario, writes } from "../../support/scenario.ts";

const integration = "00000000-0000-4000-8000-000000000002";

test("a name that does not exist is created, and the run succeeds when its first revision is live", async () => {
  const { deploy, stored } = await startScenario();

  const run = await deploy();

  const { id, url, latest_revision_id } = stored();
  expect(run.succeeded).toBe(true);
  expect(writes(run.requests).map(({ body }) => body)).toEqual([defaultCreate]);
  expect(run.outputs).toEqual({
    deployment_id: id,
    name: "agent",
    revision_id: latest_revision_id,
    live_revision_id: latest_revision_id,
    status: "DEPLOYED",
    outcome: "deployed",
    message: expect.any(String),
    created: "true",
    deployment_url: url,
    server_version: "1.0.0",
    duration_seconds: String(Math.round(run.took)),
  });
  expect([...run.errors, ...run.warnings]).toEqual([]);
  expect(run.log).toContain(`Created deployment agent (ID ${id})`);
  expect(run.summary).toContain("## ✅ Deployment `agent`: deployed");
  expect(run.summary).toContain("created by this run");
});

test("each request of a create has key and workspace, below the control plane's path", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({ control_plane_url: `${emulator.url}/api-host/`, serving_check: "off" });

  const { deployment_id: id, revision_id: revisionId } = run.outputs;
  const watch = [
    `GET /api-host/v2/deployments/${id}/revisions/${revisionId} 200`,
    `GET /api-host/v2/deployments/${id} 200`,
    `GET /api-host/v2/deployments/${id}/revisions 200`,
  ];
  expect(requestLines(run.requests)).toEqual([
    "GET /api-host/v2/deployments 200",
    "POST /api-host/v2/deployments 201",
    ...watch,
    // After the checks.
    ...watch,
  ]);
  for (const { headers } of run.requests) {
    expect(headers).toMatchObject({ "x-api-key": "<redacted>", "x-tenant-id": emulator.workspaceId });
  }
  expect(writes(run.requests)[0]?.headers).toMatchObject({ "content-type": "application/json" });
});

test("an image is deployed without repository, integration and ref", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const image = "registry.example.com/agent:1";
  const run = await deploy({
    source: "external_docker",
    image_uri: image,
    integration_id: "",
    app_config_path: "",
  });

  expect(writes(run.requests)).toMatchObject([
    {
      body: {
        source_config: { integration_id: null, repo_url: null },
        source_revision_config: { repo_ref: null, app_config_path: null, image_uri: image },
      },
    },
  ]);
  expect(run.outputs.outcome).toBe("deployed");
});

test("a deploy by name without the inputs of a create fails if there is no deployment to update", async () => {
  const { deploy } = await startScenario();

  const run = await deploy({ integration_id: "", app_config_path: "" });

  expect(run.succeeded).toBe(false);
  expect(requestLines(run.requests)).toEqual(["GET /v2/deployments 200"]);
  expect(run.errors).toEqual([
    expect.stringContaining("Input integration_id"),
    expect.stringContaining("Input app_config_path"),
  ]);
  expect(run.outputs).toEqual({
    name: "agent",
    outcome: "failed",
    message: expect.any(String),
    created: "false",
    duration_seconds: "0",
  });
});

test("the ids of a created deployment are outputs right after the write, so that a killed run leaves them behind", async () => {
  const { clock, startDeploy, stored } = await startScenario();
  const { context, ended } = startDeploy();
  let early = {};
  clock.at(2_000, () => {
    early = { ...context.recorded.outputs };
  });

  await ended;

  const { id, latest_revision_id } = stored();
  expect(early).toEqual({
    name: "agent",
    deployment_id: id,
    revision_id: latest_revision_id,
    created: "true",
    status: "CREATING",
  });
});

test("with wait: false a run ends as started after the write", async () => {
  const { deploy, stored } = await startScenario();

  const run = await deploy({ wait: "false" });

  const { id, latest_revision_id } = stored();
  expect(run.succeeded).toBe(true);
  expect(run.requests).toHaveLength(3);
  expect(run.outputs).toMatchObject({
    outcome: "started",
    status: stored().revisions[0]?.status,
    created: "true",
    deployment_id: id,
    revision_id: latest_revision_id,
    duration_seconds: "0",
  });
  expect(run.log).toContain(`Revision ${latest_revision_id} was started`);
  expect(run.summary).toContain("## 🚀 Deployment `agent`: started");
});

test("a dry run shows the create request without values of secrets, and sends nothing", async () => {
  const { deploy, emulator } = await startScenario();

  const run = await deploy({ dry_run: "true", secrets: "TOKEN=not-to-be-seen" });

  expect(run.succeeded).toBe(true);
  expect(run.outputs).toEqual({
    name: "agent",
    outcome: "planned",
    message: expect.any(String),
    created: "false",
    duration_seconds: "0",
  });
  expect(writes(run.requests)).toEqual([]);
  expect(emulator.deployments()).toEqual([]);
  const shown = run.log.slice(run.log.indexOf("{"), run.log.lastIndexOf("}") + 1);
  expect(JSON.parse(shown)).toEqual({ ...defaultCreate, secrets: [{ name: "TOKEN", value: "(not shown)" }] });
  expect(run.summary).toContain("📝 Deployment `agent`: planned");
  expect(run.log + run.summary).not.toMatch(/not-to-be-seen|by this run/);
});

test("a dry run shows fields with the platform's names, in log and summary", async () => {
  const { deploy } = await startScenario({ platform: "langsmith" });

  const run = await deploy({ dry_run: "true" });

  for (const text of [run.log, run.summary]) {
    expect(text).toContain('"langgraph_config_path": "langgraph.json"');
    expect(text).toContain(`"integration_id": "${integration}"`);
    expect(text).not.toContain("app_config_path");
  }
});
