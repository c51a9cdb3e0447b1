import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { standard } from "../../../src/control-plane/platforms.ts";
import { CreateRequestSchema, UpdateRequestSchema } from "../../../src/control-plane/schemas.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readWorkflowRun } from "../../../src/inputs/workflow-run.ts";
import { planDeployment, type Target } from "../../../src/plan/deployment-plan.ts";
import { type Inputs, pushToMain } from "../../support/scenario.ts";

const byName: Target = { kind: "name", name: "agent" };
const byId: Target = { kind: "id", id: "id-1" };
const fromGitHub: Inputs = { integration_id: "i-1", app_config_path: "app.json" };

function planned(inputs: Inputs, target = byName, env: Inputs = pushToMain) {
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const reader = new InputReader(Object.fromEntries(variables));
  return planDeployment(target, readDeployInputs(reader).desired, readWorkflowRun(env), standard);
}

function problemsOf(inputs: Inputs, env?: Inputs): string[] {
  return planned(inputs, byName, env).problems.map(({ input }) => input);
}

describe("the create request", () => {
  const everything = {
    source: "github",
    integration_id: "i-1",
    repo_url: "https://github.com/a/b",
    deployment_type: "prod",
    build_on_push: "true",
    custom_url: "https://x.example",
    resource_spec: '{"cpu":1}',
    repo_ref: "release",
    app_config_path: "app.json",
    image_uri: "image:1",
    secrets: "A=1",
  };
  const minimal = {
    name: "agent",
    source: "github",
    source_config: {
      integration_id: "i-1",
      repo_url: "https://github.com/octo-org/octo-repo",
      deployment_type: "dev",
      build_on_push: false,
      custom_url: null,
      resource_spec: null,
    },
    source_revision_config: { repo_ref: "main", app_config_path: "app.json", image_uri: null },
    secrets: [],
  };

  test.each<[string, Inputs, unknown]>([
    ["with nothing but what is required", fromGitHub, minimal],
    [
      "with everything",
      everything,
      {
        name: "agent",
        source: "github",
        source_config: {
          integration_id: "i-1",
          repo_url: "https://github.com/a/b",
          deployment_type: "prod",
          build_on_push: true,
          custom_url: "https://x.example",
          resource_spec: { cpu: 1 },
        },
        source_revision_config: { repo_ref: "release", app_config_path: "app.json", image_uri: "image:1" },
        secrets: [{ name: "A", value: "1" }],
      },
    ],
    [
      "from an image",
      { source: "external_docker", image_uri: "image:1" },
      {
        ...minimal,
        source: "external_docker",
        source_config: { ...minimal.source_config, integration_id: null, repo_url: null },
        source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "image:1" },
      },
    ],
    [
      "from another source with a ref of its own",
      { source: "internal_source", repo_ref: "release" },
      {
        ...minimal,
        source: "internal_source",
        source_config: { ...minimal.source_config, integration_id: null, repo_url: null },
        source_revision_config: { repo_ref: "release", app_config_path: null, image_uri: null },
      },
    ],
  ])("%s", (_what, inputs, expected) => {
    const { plan, problems } = planned(inputs);
    expect(problems).toEqual([]);
    expect(plan.createProblems).toEqual([]);
    expect(plan.create).toEqual(expected);
    expect(v.is(CreateRequestSchema, plan.create)).toBe(true);
  });

  test("isn't there for a deployment_id", () => {
    const { plan } = planned(fromGitHub, byId);
    expect(plan.create).toBeUndefined();
    expect(plan.createProblems).toEqual([]);
  });

  test.each<[string, Inputs, string[]]>([
    ["an integration and a path", {}, ["integration_id", "app_config_path"]],
    ["a path", { integration_id: "i-1" }, ["app_config_path"]],
    ["an integration", { app_config_path: "app.json" }, ["integration_id"]],
    ["both, with an image and no source", { image_uri: "image:1" }, ["integration_id", "app_config_path"]],
  ])("lacks %s", (_what, inputs, missing) => {
    const { plan, problems } = planned(inputs);
    expect(problems).toEqual([]);
    expect(plan.create).toBeUndefined();
    expect(plan.createProblems.map(({ input }) => input)).toEqual(missing);
  });

  test("lacks a repository outside of a workflow", () => {
    const { plan } = planned({ ...fromGitHub, repo_ref: "main" }, byName, {});
    expect(plan.createProblems.map(({ input }) => input)).toEqual(["repo_url"]);
  });
});

describe("the update request holds what was asked, and nothing else", () => {
  test.each<[string, Inputs, unknown]>([
    ["nothing given", {}, { source_revision_config: { repo_ref: "main" } }],
    ["a source, which can't change", { source: "github" }, { source_revision_config: { repo_ref: "main" } }],
    [
      "false",
      { build_on_push: "false" },
      { source_config: { build_on_push: false }, source_revision_config: { repo_ref: "main" } },
    ],
    [
      "an empty object",
      { resource_spec: "{}" },
      { source_config: { resource_spec: {} }, source_revision_config: { repo_ref: "main" } },
    ],
    [
      "an address",
      { custom_url: "https://x.example" },
      { source_config: { custom_url: "https://x.example" }, source_revision_config: { repo_ref: "main" } },
    ],
    [
      "a path and an image",
      { app_config_path: "b.json", image_uri: "image:2" },
      { source_revision_config: { app_config_path: "b.json", image_uri: "image:2" } },
    ],
    [
      "an image and a ref",
      { repo_ref: "release", image_uri: "image:2" },
      { source_revision_config: { repo_ref: "release", image_uri: "image:2" } },
    ],
    [
      "secrets",
      { secrets: "A=1" },
      { source_revision_config: { repo_ref: "main" }, secrets: [{ name: "A", value: "1" }] },
    ],
    ["empty secrets", { secrets: "# none\n" }, { source_revision_config: { repo_ref: "main" } }],
  ])("%s", (_what, inputs, expected) => {
    for (const target of [byName, byId]) {
      const { plan, problems } = planned(inputs, target);
      expect(problems).toEqual([]);
      expect(JSON.parse(JSON.stringify(plan.update))).toEqual(expected);
      expect(v.is(UpdateRequestSchema, plan.update)).toBe(true);
    }
  });
});

describe("a ref has to be given", () => {
  test.each<[string, Inputs, Inputs | undefined, string[]]>([
    ["for another repository", { repo_url: "https://github.com/a/b" }, undefined, ["repo_ref"]],
    ["not for this one", { repo_url: "https://GITHUB.com/octo-org/octo-repo.git/" }, undefined, []],
    [
      "not for another one's image",
      { repo_url: "https://github.com/a/b", image_uri: "image:1" },
      undefined,
      [],
    ],
    ["outside of a workflow", {}, {}, ["repo_ref"]],
    ["for a run without a branch", {}, { ...pushToMain, GITHUB_REF: "refs/pull/1/merge" }, ["repo_ref"]],
    ["or an image, for another source", { source: "external_docker" }, undefined, ["image_uri"]],
  ])("%s", (_what, inputs, env, expected) => {
    expect(problemsOf(inputs, env)).toEqual(expected);
    expect(problemsOf({ ...inputs, repo_ref: "release" }, env)).toEqual([]);
  });
});

describe("the repository that a deployment found by name has to be of", () => {
  test.each<[string, Inputs, string | undefined]>([
    ["this one", {}, "https://github.com/octo-org/octo-repo"],
    ["the given one", { repo_url: "https://github.com/a/b", repo_ref: "x" }, "https://github.com/a/b"],
    ["none for an image source", { source: "external_docker", image_uri: "image:1" }, undefined],
  ])("%s", (_what, inputs, expected) => {
    expect(planned(inputs).plan.repoUrl).toBe(expected);
  });
});
