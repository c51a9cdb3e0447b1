import { expect, test } from "@jest/globals";
import { startScenario, writes } from "../../support/scenario.ts";

const onlyId = { name: "", integration_id: "", app_config_path: "" };

test("an update by name sends only what was asked, and takes the revision that it made", async () => {
  const { deploy, existing, held } = await startScenario();
  const { id, revisionId } = await existing();
  const run = await deploy(onlyName());
  expect(writes(run.requests)).toMatchObject([
    { method: "PATCH", path: `/v2/deployments/${id}`, status: 200 },
  ]);
  expect(writes(run.requests)[0]?.body).toEqual({ source_revision_config: { repo_ref: "main" } });
  expect(run.outputs).toEqual({
    deployment_id: id,
    revision_id: held().latest_revision_id,
    status: "DEPLOYED",
    outcome: "deployed",
    created: "false",
    deployment_url: held().url,
    duration_seconds: String(Math.round(run.took)),
  });
  expect(run.outputs.revision_id).not.toBe(revisionId);
  expect(run.summary).toContain("updated by this run");
});

function onlyName() {
  return { integration_id: "", app_config_path: "" };
}

test("what was there is read before the write", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const run = await deploy();
  const methods = run.requests.map(({ method, path }) => `${method} ${path}`);
  const before = methods.slice(0, methods.indexOf(`PATCH /v2/deployments/${id}`));
  expect(before).toContain(`GET /v2/deployments/${id}/revisions`);
});

test("with deployment_id nothing is looked up by name, and the name is not used", async () => {
  const { deploy, existing, emulator } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing("some-other-name");
  const run = await deploy({ ...onlyId, deployment_id: id, name: "agent" });
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: id, created: "false" });
  expect(run.requests.map(({ path }) => path)).not.toContain("/v2/deployments");
  expect(run.requests[0]).toMatchObject({ method: "GET", path: `/v2/deployments/${id}` });
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["some-other-name"]);
});

test("a deployment_id that isn't there is a clear error, and nothing is sent", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ ...onlyId, deployment_id: "gone" });
  expect(run.succeeded).toBe(false);
  expect(writes(run.requests)).toEqual([]);
  expect(run.errors).toEqual([
    "GET /v2/deployments/gone was answered with 404: Deployment gone not found. Nothing of the kind is found there: check control_plane_url (self-hosted: with its /api-host prefix), workspace_id, and deployment_id if it is given; what it names may have been deleted.",
  ]);
  expect(run.summary).toContain("What to do next");
});

test("an id is one segment of the path, whatever is in it", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ ...onlyId, deployment_id: "a/../b?c#d" });
  expect(run.requests.map(({ path }) => path)).toEqual(["/v2/deployments/a%2F..%2Fb%3Fc%23d"]);
  expect(run.succeeded).toBe(false);
});

test("everything that was given goes into the update, false as well, and nothing that wasn't", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  const run = await deploy({
    integration_id: "",
    app_config_path: "other/config.json",
    build_on_push: "false",
    custom_url: "https://agent.example.com",
    resource_spec: "{}",
    repo_ref: "release",
    secrets: '{"TOKEN": "se=cret"}',
  });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    {
      source_config: { build_on_push: false, custom_url: "https://agent.example.com", resource_spec: {} },
      source_revision_config: { repo_ref: "release", app_config_path: "other/config.json" },
      secrets: [{ name: "TOKEN", value: "se=cret" }],
    },
  ]);
});

test("source_config holds just the fields that were given", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  const run = await deploy({ deployment_type: "prod" });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    {
      source_config: { integration_id: "integration-1", deployment_type: "prod" },
      source_revision_config: { repo_ref: "main", app_config_path: "app/config.json" },
    },
  ]);
});

test("with an image the run's ref isn't sent", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  const run = await deploy({ ...onlyName(), image_uri: "registry.example.com/agent:2" });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    { source_revision_config: { image_uri: "registry.example.com/agent:2" } },
  ]);
  expect(run.outputs.outcome).toBe("deployed");
});

test("with an image a ref is sent if it was given", async () => {
  const { deploy, existing } = await startScenario({ statusSeconds: 0 });
  await existing();
  const run = await deploy({
    ...onlyName(),
    image_uri: "registry.example.com/agent:2",
    repo_ref: "release",
  });
  expect(writes(run.requests).map(({ body }) => body)).toEqual([
    { source_revision_config: { repo_ref: "release", image_uri: "registry.example.com/agent:2" } },
  ]);
});

test("deployment_url is only ever an http address", async () => {
  const { deploy, existing, emulator } = await startScenario({ statusSeconds: 0 });
  await existing("agent");
  emulator.misbehave({ kind: "hide", fields: ["url"] });
  const run = await deploy({ custom_url: "javascript:alert(1)" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.outputs).not.toHaveProperty("deployment_url");
  expect(run.summary).not.toContain("javascript:");
});

test("without a url the custom_url is the deployment's address", async () => {
  const { deploy, existing, emulator } = await startScenario({ statusSeconds: 0 });
  await existing("agent");
  emulator.misbehave({ kind: "hide", fields: ["url"] });
  const run = await deploy({ custom_url: "https://agent.example.com" });
  expect(run.outputs.deployment_url).toBe("https://agent.example.com");
});
