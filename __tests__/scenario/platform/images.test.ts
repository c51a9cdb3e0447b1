// Images on one's own cluster, as the vendor's clients create them.

import { describe, expect, test } from "@jest/globals";
import { expectError, type Inputs, startScenario, writes } from "../../support/scenario.ts";
import { inFolder, plainConfig, writeTree } from "../../support/source-tree.ts";

const listener_id = "33333333-3333-4333-8333-333333333333";
const image: Inputs = { image_uri: "registry.example.com/desk:1", integration_id: "", app_config_path: "" };
const external: Inputs = { ...image, source: "external_docker" };

describe("on platform langsmith", () => {
  const start = () => startScenario({ platform: "langsmith", statusSeconds: 0 });

  test.each<[string, Inputs, object]>([
    ["without resources", {}, { resource_spec: {} }],
    ["with resources", { resource_spec: '{"cpu": 2}' }, { resource_spec: { cpu: 2 } }],
    ["with a listener", { listener_id }, { resource_spec: {}, listener_id }],
    [
      "with a listener of several namespaces",
      { listener_id, k8s_namespace: "agents" },
      { resource_spec: {}, listener_id, listener_config: { k8s_namespace: "agents" } },
    ],
  ])("an image %s is created without a type", async (_what, inputs, config) => {
    const { deploy } = await start();

    const production = { environment: "production", github_token: "token-123" };
    const run = await deploy({ ...external, ...inputs, ...production });

    expect(run.outputs.outcome).toBe("deployed");
    const nothing = { integration_id: null, repo_url: null, custom_url: null };
    expect(writes(run.requests)).toMatchObject([
      { body: { source: "external_docker", source_revision_config: { image_uri: image.image_uri } } },
    ]);
    expect(writes(run.requests)[0]?.body).toHaveProperty("source_config", { ...nothing, ...config });
    expect(run.warnings.join()).not.toContain("deployment_type");
  });

  test.each<[string, Inputs, readonly string[]]>([
    ["the type", { deployment_type: "prod" }, ["deployment_type", "external_docker", "resource_spec"]],
    ["a namespace without a listener", { k8s_namespace: "a" }, ["k8s_namespace", "Set what is missing"]],
  ])("%s of an image is an input error", async (_what, inputs, facts) => {
    const run = await (await start()).deploy({ ...external, ...inputs });

    expectError(run, ...facts);
    expect(run.requests).toEqual([]);
  });

  test("the namespace of a deployment can't change", async () => {
    const { deploy } = await start();
    const inputs = { ...external, listener_id, k8s_namespace: "agents" };
    await deploy(inputs);

    const again = await deploy(inputs);
    const changed = await deploy({ ...inputs, k8s_namespace: "other" });

    expect(again.outputs).toMatchObject({ outcome: "deployed", created: "false" });
    expectError(changed, "k8s_namespace", '"agents"', "can't change");
  });

  test("an image alone updates a deployment of images", async () => {
    const { deploy } = await start();
    await deploy(external);

    const run = await deploy({ ...image, image_uri: "registry.example.com/desk:2" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "false" });
    expect(writes(run.requests)).toMatchObject([
      { body: { source_revision_config: { image_uri: "registry.example.com/desk:2" } } },
    ]);
  });
});

test("on the standard platform an image has a type, and neither listener nor namespace", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy(external);
  const refused = await deploy({ ...external, listener_id, k8s_namespace: "agents" });

  expect(writes(run.requests)).toMatchObject([
    { body: { source_config: { deployment_type: "dev", resource_spec: null } } },
  ]);
  expect(refused.errors).toEqual([
    expect.stringMatching(/listener_id is not supported/),
    expect.stringMatching(/k8s_namespace is not supported/),
  ]);
});

test.each(["standard", "langsmith"] as const)(
  "an image without source creates nothing, and the error names source (%s)",
  async (platform) => {
    const { deploy } = await startScenario({ platform, statusSeconds: 0 });

    for (const dry_run of ["true", "false"]) {
      const run = await deploy({ ...image, dry_run });

      expectError(run, "Input source", "image_uri", "external_docker");
      expect(writes(run.requests)).toEqual([]);
    }
  },
);

test("the source of a deployment with an ID can't be changed by another name", async () => {
  const { deploy, stored } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  await deploy(external);

  const deployment_id = stored().id;

  const repository = await deploy({ deployment_id, source: "github" });
  const upload = await inFolder(async (folder) => {
    writeTree(folder, { "langgraph.json": plainConfig });
    return await deploy({ deployment_id, source_path: "." }, { GITHUB_WORKSPACE: folder });
  });

  expectError(repository, "Input source", "external_docker", "can't change", "without an ID");
  expectError(upload, "Input source_path", "external_docker", "can't change", "without an ID");
});

test.each(["standard", "langsmith"] as const)(
  "a deployment of another source is an error before anything is sent (%s)",
  async (platform) => {
    const { deploy } = await startScenario({ platform, statusSeconds: 0 });
    await deploy({ name: "from-image", ...external });
    await deploy({ name: "from-ref" });

    const imageForRepository = await deploy({ ...image, name: "from-ref" });
    const refForImage = await deploy({ name: "from-image" });

    expectError(imageForRepository, "Input image_uri", '"github"', "can't change");
    expectError(refForImage, "Input image_uri is required", '"external_docker"', "can't change");
    expect(writes([...imageForRepository.requests, ...refForImage.requests])).toEqual([]);
  },
);
