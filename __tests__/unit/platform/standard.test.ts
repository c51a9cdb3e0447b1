import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { CreateRequestSchema, UpdateRequestSchema } from "../../../emulator/dialects/standard.ts";
import { createBody, updateBody } from "../../../src/platform/standard.ts";
import { byId, byName, fromGitHub, planned, type Texts } from "../deploy/support/planned.ts";

const everything: Texts = {
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
const fullSourceConfig = {
  integration_id: "i-1",
  repo_url: "https://github.com/a/b",
  deployment_type: "prod",
  build_on_push: true,
  custom_url: "https://x.example",
  resource_spec: { cpu: 1 },
};
const fullRevisionConfig = { repo_ref: "release", app_config_path: "app.json", image_uri: "image:1" };
const secrets = [{ name: "A", value: "1" }];

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
const { build_on_push: _, ...onlyForGitHub } = minimal.source_config;
const withoutRepository = { ...onlyForGitHub, integration_id: null, repo_url: null };

test.each<[string, Texts, unknown]>([
  ["the minimum", fromGitHub, minimal],
  [
    "everything",
    everything,
    {
      name: "agent",
      source: "github",
      source_config: fullSourceConfig,
      source_revision_config: fullRevisionConfig,
      secrets,
    },
  ],
  [
    "an image",
    { source: "external_docker", image_uri: "image:1" },
    {
      ...minimal,
      source: "external_docker",
      source_config: withoutRepository,
      source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "image:1" },
    },
  ],
  [
    "another source with a ref",
    { source: "other", repo_ref: "release" },
    {
      ...minimal,
      source: "other",
      source_config: withoutRepository,
      source_revision_config: { repo_ref: "release", app_config_path: null, image_uri: null },
    },
  ],
])("a create with %s has every field, null if nothing was given", (_what, inputs, expected) => {
  const { create, problems } = planned(inputs);

  expect(problems).toEqual([]);
  const body = createBody("agent", create);
  expect(body).toStrictEqual(expected);
  expect(v.is(CreateRequestSchema, body)).toBe(true);
});

const onMain = { source_revision_config: { repo_ref: "main" } };

test.each<[string, Texts, unknown]>([
  ["nothing", {}, onMain],
  ["the source, which is not sent", { source: "github" }, onMain],
  [
    "everything",
    everything,
    { source_config: fullSourceConfig, source_revision_config: fullRevisionConfig, secrets },
  ],
  ["false", { build_on_push: "false" }, { source_config: { build_on_push: false }, ...onMain }],
  ["an empty object", { resource_spec: "{}" }, { source_config: { resource_spec: {} }, ...onMain }],
  [
    "a URL",
    { custom_url: "https://x.example" },
    { source_config: { custom_url: "https://x.example" }, ...onMain },
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
    "build_on_push for another source",
    { source: "external_docker", image_uri: "image:2", build_on_push: "true" },
    { source_revision_config: { image_uri: "image:2" } },
  ],
  ["secrets", { secrets: "A=1" }, { ...onMain, secrets }],
  ["empty secrets", { secrets: "# none\n" }, onMain],
])("an update with %s has only what was given", (_what, inputs, expected) => {
  for (const target of [byName, byId]) {
    const { plan, problems } = planned(inputs, { target });

    expect(problems).toEqual([]);
    const body = updateBody(plan.desired);
    expect(body).toEqual(expected);
    expect(v.is(UpdateRequestSchema, body)).toBe(true);
  }
});
