import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { CreateRequestSchema, UpdateRequestSchema } from "../../../src/platform/schemas.ts";
import { byId, byName, fromGitHub, planned, type Texts } from "./support/planned.ts";

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

  test.each<[string, Texts, unknown]>([
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
});

describe("the update request holds what was asked, and nothing else", () => {
  test.each<[string, Texts, unknown]>([
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
      const { plan, problems } = planned(inputs, { target });
      expect(problems).toEqual([]);
      expect(JSON.parse(JSON.stringify(plan.update))).toEqual(expected);
      expect(v.is(UpdateRequestSchema, plan.update)).toBe(true);
    }
  });
});
