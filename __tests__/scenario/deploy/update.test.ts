import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, startScenario, writes } from "../../support/scenario.ts";

const onlyName: Inputs = { integration_id: "", app_config_path: "" };
const onlyId: Inputs = { ...onlyName, name: "" };

test("an update sends only the run's ref, and waits for the revision that came of it", async () => {
  const { deploy, existing, stored } = await startScenario();
  const { id, revisionId } = await existing();

  const run = await deploy(onlyName);

  expect(writes(run.requests)).toMatchObject([
    {
      method: "PATCH",
      path: `/v2/deployments/${id}`,
      body: { source_revision_config: { repo_ref: "main" } },
    },
  ]);
  const { url, latest_revision_id } = stored();
  expect(latest_revision_id).not.toBe(revisionId);
  expect(run.outputs).toEqual({
    deployment_id: id,
    name: "agent",
    revision_id: latest_revision_id,
    previous_revision_id: revisionId,
    live_revision_id: latest_revision_id,
    status: "DEPLOYED",
    outcome: "deployed",
    message: expect.any(String),
    created: "false",
    deployment_url: url,
    server_version: "1.0.0",
    duration_seconds: String(Math.round(run.took)),
  });
});

test.each([
  ["the platform shows as live", []],
  ["was deployed last, if the platform does not show what is live", ["active_revision_id"]],
])("previous_revision_id is the revision that %s", async (_what, fields) => {
  const { deploy, emulator, existing, send, pass } = await startScenario({
    platform: "langsmith",
    failRefs: { bad: "BUILD_FAILED" },
  });
  emulator.addFault({ kind: "hide", fields });
  const { id, revisionId } = await existing();
  await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "bad" } });
  await pass(60);

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", previous_revision_id: revisionId });
});

test("the deployment is read again, and its revisions are listed, right before the update", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();

  const run = await deploy({ serving_check: "off" });

  const requests = run.requests.map(({ method, path }) => `${method} ${path.replace(id, "ID")}`);
  expect(requests.slice(0, 6)).toEqual([
    "GET /v2/deployments",
    "GET /v2/deployments",
    "GET /v2/deployments/ID",
    "GET /v2/deployments/ID",
    "GET /v2/deployments/ID/revisions",
    "PATCH /v2/deployments/ID",
  ]);
});

test("a deployment that is being deleted since it was found is not changed", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({
    platform: "langsmith",
    statusSeconds: 0,
  });
  const { id } = await existing();
  const body = { ...stored(), status: "AWAITING_DELETE" };
  emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, from: 2, times: "always" }));

  const run = await deploy({ build_on_push: "true" });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "is being deleted, so nothing can be deployed to it");
  expect(writes(run.requests)).toEqual([]);
});

test("a deployment that is being deleted right after the update fails a run that does not wait", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const body = { ...stored(), status: "AWAITING_DELETE" };
  emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, from: 3, times: "always" }));

  const run = await deploy({ wait: "false" });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "was made, but deployment", "is being deleted");
});

describe("deployment_id", () => {
  test("finds the deployment whatever its name, without a search", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing("some-other-name");

    const run = await deploy({ ...onlyId, deployment_id: id, name: "agent" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
    expect(run.requests[0]?.path).toBe(`/v2/deployments/${id}`);
    expect(run.requests.map(({ path }) => path)).not.toContain("/v2/deployments");
    expect(emulator.deployments()).toHaveLength(1);
  });

  test.each([
    ["gone", "/v2/deployments/gone"],
    // One segment of the path, whatever it contains.
    ["a/../b?c#d", "/v2/deployments/a%2F..%2Fb%3Fc%23d"],
  ])("of no deployment is an error that names the inputs to check (%s)", async (id, path) => {
    const { deploy } = await startScenario();

    const run = await deploy({ ...onlyId, deployment_id: id });

    expect(run.requests.map((request) => request.path)).toEqual([path]);
    expectError(run, `no deployment ${id}.`, "deployment_id", "control_plane_url", "workspace_id");
  });
});

test.each<[string, string, Inputs, unknown]>([
  [
    "everything that is set, false and {} included",
    "github",
    {
      ...onlyName,
      app_config_path: "other/config.json",
      build_on_push: "false",
      custom_url: "https://agent.example.com",
      resource_spec: "{}",
      repo_ref: "release",
      secrets: '{"TOKEN": "se=cret"}',
    },
    {
      source_config: { build_on_push: false, custom_url: "https://agent.example.com", resource_spec: {} },
      source_revision_config: { repo_ref: "release", app_config_path: "other/config.json" },
      secrets: [{ name: "TOKEN", value: "se=cret" }],
    },
  ],
  [
    "an image without the run's ref",
    "external_docker",
    { ...onlyName, image_uri: "registry.example.com/agent:2" },
    { source_revision_config: { image_uri: "registry.example.com/agent:2" } },
  ],
  [
    "an image with a ref that is set",
    "external_docker",
    { ...onlyName, image_uri: "registry.example.com/agent:2", repo_ref: "release" },
    { source_revision_config: { repo_ref: "release", image_uri: "registry.example.com/agent:2" } },
  ],
])("an update sends %s (source %s)", async (_what, source, inputs, body) => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing("agent", { source });

  const run = await deploy(inputs);

  expect(writes(run.requests).map((request) => request.body)).toEqual([body]);
  expect(run.outputs.outcome).toBe("deployed");
});

test("an update that is refused fails the run, and changes nothing", async () => {
  const { deploy, emulator, existing } = await startScenario();
  const { id, revisionId } = await existing();
  const body = { detail: "It is being deleted" };
  emulator.addFault(answer("PATCH", 409, { body }));

  const run = await deploy();

  expect(run.outputs).toEqual({
    outcome: "failed",
    message: expect.any(String),
    live_revision_id: revisionId,
    deployment_id: id,
    name: "agent",
    created: "false",
    duration_seconds: "0",
    deployment_url: expect.any(String),
    previous_revision_id: revisionId,
  });
  expectError(run, id, "409", "It is being deleted");
});

test.each([
  ["https://agent.example.com", "https://agent.example.com"],
  ["javascript:alert(1)", undefined],
])("if the platform shows no URL, custom_url %s gives deployment_url %s", async (customUrl, url) => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  emulator.addFault({ kind: "hide", fields: ["url"] });

  const run = await deploy({ custom_url: customUrl });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.outputs.deployment_url).toBe(url);
  expect(run.summary).not.toContain("javascript:");
});

test("a dry run shows the update request and the deployment, and sends nothing", async () => {
  const { deploy, existing, stored } = await startScenario();
  const { id } = await existing();

  const run = await deploy({ ...onlyName, dry_run: "true", build_on_push: "false" });

  expect(run.outputs).toMatchObject({ outcome: "planned", created: "false", deployment_id: id });
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(writes(run.requests)).toEqual([]);
  expect(stored().revisions).toHaveLength(1);
  const shown = run.log.slice(run.log.indexOf("{"), run.log.lastIndexOf("}") + 1);
  expect(JSON.parse(shown)).toEqual({
    source_config: { build_on_push: false },
    source_revision_config: { repo_ref: "main" },
  });
});

describe("a value that is fixed once the deployment exists", () => {
  const other = "00000000-0000-4000-8000-00000000000f";

  test.each<[string, Inputs]>([
    ["an update", {}],
    ["a dry run", { dry_run: "true" }],
  ])("fails %s before a write if it changes, an annotation each", async (_what, mode) => {
    const { deploy, existing } = await startScenario({ platform: "langsmith" });
    await existing();

    const run = await deploy({ ...mode, deployment_type: "prod", integration_id: other });

    expect(run.outputs.outcome).toBe("failed");
    expect(writes(run.requests)).toEqual([]);
    expect(run.errors).toEqual([
      expect.stringMatching(/^Input integration_id .*0002"/),
      expect.stringMatching(/^Input deployment_type .*"dev"/),
    ]);
  });
});

test.each([
  [
    "belongs to another repository",
    { source_config: { repo_url: "https://github.com/someone/else" } },
    "someone/else",
  ],
  ["has another name", { name: "production" }, "is named production now"],
])("nothing is sent to a deployment that %s by the time of the write", async (_what, changed, fact) => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const body = { id, name: "agent", ...changed };
  emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, from: 2, times: "always" }));

  const run = await deploy();

  expectError(run, fact);
  expect(writes(run.requests)).toEqual([]);
});
