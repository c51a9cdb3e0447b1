import { expect, test } from "@jest/globals";
import { divideUpdate, showsSettings } from "../../../../src/deploy/plan/divide-update.ts";
import { standard } from "../../../../src/platform/platforms.ts";
import { deploymentOf } from "../../support/wire.ts";
import { given, langsmith, planned, type Texts } from "../support/planned.ts";

const onMain = { source_revision_config: { repo_ref: "main" } };
const { source: _, repo_ref: __, ...sourceConfig } = given;
const full = { ...sourceConfig, build_on_push: false, custom_url: "https://agent.example.com" };

/** The two requests of an update of a deployment that shows these fields. */
function requestsOf(inputs: Texts, config: object, source = "github", platform = langsmith) {
  const { plan } = planned(inputs, { platform });
  const deployment = deploymentOf({ source, source_config: config });
  const { settings, revision, isPosted } = divideUpdate(plan, platform, { deployment });
  return { settings: settings?.source_config, revision, isPosted };
}

test.each<[string, Texts, object, unknown]>([
  [
    "that the deployment shows are not sent",
    { ...given, build_on_push: "false", custom_url: full.custom_url },
    full,
    undefined,
  ],
  ["in another spelling are not sent", { ...given, repo_url: "git@github.com:A/b.git" }, full, undefined],
  ["that the deployment does not show are sent", given, {}, { repo_url: sourceConfig.repo_url }],
  [
    "that differ are sent",
    {
      ...given,
      build_on_push: "true",
      custom_url: "https://other.example.com",
      repo_url: "https://github.com/a/c",
    },
    full,
    {
      build_on_push: true,
      custom_url: "https://other.example.com",
      repo_url: "https://github.com/a/c",
    },
  ],
])("settings %s, in a request before that of the revision", (_what, inputs, config, settings) => {
  expect(requestsOf(inputs, config)).toEqual({ settings, revision: onMain, isPosted: true });
});

test("resources, secrets and the source make the revision", () => {
  const inputs = { ...given, resource_spec: '{"cpu":1}', secrets: "A=1" };

  expect(requestsOf(inputs, full).revision).toEqual({
    source_config: { resource_spec: { cpu: 1 } },
    ...onMain,
    secrets: [{ name: "A", value: "1" }],
  });
});

test("an image of internal_docker is sent in a PATCH that names this source", () => {
  const image = { image_uri: "registry.example.com/agent@sha256:1" };

  expect(requestsOf({ ...image, build_on_push: "true" }, {}, "internal_docker")).toEqual({
    settings: undefined,
    revision: { revision_source: "internal_docker", source_revision_config: image },
    isPosted: false,
  });
});

test("the update of a deployment that this run created leaves out what the create sent", () => {
  const { plan } = planned({ ...given, source: "internal_docker" }, { platform: langsmith });

  expect(divideUpdate(plan, langsmith, {})).toEqual({
    settings: undefined,
    revision: { revision_source: "internal_docker", ...onMain },
    isPosted: false,
  });
});

test("an update is sent as it is to the standard platform", () => {
  expect(requestsOf(given, full, "github", standard)).toEqual({
    settings: undefined,
    revision: { source_config: sourceConfig, ...onMain },
    isPosted: false,
  });
});

test("the new URL of a moved repository is sent as a setting", () => {
  const { plan } = planned({ repo_ref: "main" }, { platform: langsmith });
  const deployment = deploymentOf({ source: "github", source_config: full });
  const movedTo = "https://github.com/a/moved";

  expect(divideUpdate(plan, langsmith, { deployment, movedTo })).toEqual({
    settings: { source_config: { repo_url: movedTo } },
    revision: onMain,
    isPosted: true,
  });
});

test("an upload is sent in a PATCH", () => {
  expect(requestsOf({ source_path: "." }, {}, "internal_source")).toEqual({
    settings: undefined,
    revision: {
      revision_source: "internal_source",
      source_revision_config: { app_config_path: "langgraph.json" },
    },
    isPosted: false,
  });
});

test.each<[string, string, unknown]>([
  ["github", "github", { build_on_push: true }],
  ["another source", "external_docker", undefined],
])("build_on_push is sent only to a deployment of a repository: %s", (_what, source, settings) => {
  const inputs = { build_on_push: "true", repo_ref: "main" };

  expect(requestsOf(inputs, {}, source).settings).toEqual(settings);
});

test("an image on a platform without a registry names no source", () => {
  const image = { image_uri: "registry.example.com/agent:1" };

  expect(requestsOf(image, {}, "internal_docker", standard)).toEqual({
    settings: undefined,
    revision: { source_revision_config: image },
    isPosted: false,
  });
});

test.each<[string, object, boolean]>([
  ["nothing", {}, true],
  [
    "what the deployment shows in another spelling",
    { build_on_push: false, custom_url: full.custom_url, repo_url: "git@github.com:a/b" },
    true,
  ],
  ["another value of one field", { build_on_push: true, custom_url: full.custom_url }, false],
  ["null", { repo_url: null, custom_url: null }, true],
])("settings that ask for %s are shown by the deployment: %p", (_what, config, expected) => {
  expect(showsSettings({ source_config: config }, deploymentOf({ source_config: full }))).toBe(expected);
});
