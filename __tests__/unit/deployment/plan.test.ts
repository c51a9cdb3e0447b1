import { describe, expect, test } from "@jest/globals";
import { describePlan, describeSource } from "../../../src/deploy/plan/plan.ts";
import { type Target, titleOf } from "../../../src/inputs/target.ts";
import { byId, byName, fromGitHub, langsmith, onMain, planned, type Texts } from "./support/planned.ts";

test.each<[Target, string]>([
  [byId, "id-1"],
  [byName, "agent"],
  [{ kind: "name", name: "agent", recordedId: "id-1" }, "agent"],
])("the title of %j is %s", (target, title) => {
  expect(titleOf(target)).toBe(title);
});

const requiredToCreate = (input: string) => ({
  input,
  problem: expect.stringMatching(/^is missing or empty\. To create .*source/),
});

describe("a plan to create", () => {
  test("does not exist for a deployment_id, and misses nothing", () => {
    for (const inputs of [fromGitHub, {}]) {
      expect(planned(inputs, { target: byId }).plan).toMatchObject({ create: undefined, createProblems: [] });
    }
  });

  test.each<[string, Texts, string[]]>([
    ["integration_id and app_config_path", {}, ["integration_id", "app_config_path"]],
    ["app_config_path", { integration_id: "i-1" }, ["app_config_path"]],
    ["integration_id", { app_config_path: "app.json" }, ["integration_id"]],
    ["both with an image but no source", { image_uri: "image:1" }, ["integration_id", "app_config_path"]],
  ])("requires %s", (_what, inputs, missing) => {
    const { plan, problems } = planned(inputs);

    expect(problems).toEqual([]);
    expect(plan).toMatchObject({ create: undefined, createProblems: missing.map(requiredToCreate) });
  });

  test("requires repo_url outside of a workflow", () => {
    const { plan } = planned({ ...fromGitHub, repo_ref: "main" }, { env: {} });

    expect(plan.createProblems).toEqual([requiredToCreate("repo_url")]);
  });

  test("requires neither integration nor configuration path on a platform that has defaults for them", () => {
    const { plan } = planned({}, { platform: langsmith });

    expect(plan.createProblems).toEqual([]);
    expect(plan.create?.source_revision_config).toEqual({
      repo_ref: "main",
      app_config_path: "langgraph.json",
      image_uri: null,
    });
    expect(plan.update.source_revision_config).toEqual({ repo_ref: "main" });
  });

  test.each<[string, Texts, typeof langsmith | undefined, boolean]>([
    ["is searched if it is not given", {}, langsmith, true],
    ["is not searched if it is given", { integration_id: "i-1" }, langsmith, false],
    ["is not searched for an image", { source: "external_docker", image_uri: "image:1" }, langsmith, false],
    ["is not searched on a platform without a list of integrations", {}, undefined, false],
  ])("has an integration that %s", (_what, inputs, platform, findsIntegration) => {
    expect(planned(inputs, platform && { platform }).plan.findsIntegration).toBe(findsIntegration);
  });
});

describe("a ref", () => {
  test.each<[string, Texts, Texts, string, RegExp]>([
    [
      "for another repository",
      { repo_url: "https://github.com/a/b" },
      onMain,
      "repo_ref",
      /^is required.*repo_url/,
    ],
    [
      "for a repository outside of a workflow",
      { repo_url: "https://github.com/a/b" },
      {},
      "repo_ref",
      /^is required.*repo_url/,
    ],
    ["outside of a workflow", {}, {}, "repo_ref", /^is required: this event is neither/],
    [
      "for a run without a branch",
      {},
      { ...onMain, GITHUB_REF: "refs/pull/1/merge" },
      "repo_ref",
      /^is required: refs\/pull\/1\/merge is neither/,
    ],
    [
      "or an image for another source",
      { source: "external_docker" },
      onMain,
      "image_uri",
      /^or repo_ref is required with source external_docker$/,
    ],
  ])("is required %s", (_what, inputs, env, input, problem) => {
    expect(planned(inputs, { env }).problems).toEqual([{ input, problem: expect.stringMatching(problem) }]);
    expect(planned({ ...inputs, repo_ref: "release" }, { env }).problems).toEqual([]);
  });

  test.each<[string, Texts]>([
    ["this repository in another spelling", { repo_url: "https://GITHUB.com/octo-org/octo-repo.git/" }],
    ["an image of another repository", { repo_url: "https://github.com/a/b", image_uri: "image:1" }],
  ])("is not required for %s", (_what, inputs) => {
    expect(planned(inputs).problems).toEqual([]);
  });
});

test.each<[string, Texts, string | undefined]>([
  ["this one by default", {}, "https://github.com/octo-org/octo-repo"],
  ["this one for source github", { source: "github" }, "https://github.com/octo-org/octo-repo"],
  ["the given one", { repo_url: "https://github.com/a/b", repo_ref: "x" }, "https://github.com/a/b"],
  ["none for an image source", { source: "external_docker", image_uri: "image:1" }, undefined],
])("the repository of a deployment that is found by name must be %s", (_what, inputs, expected) => {
  expect(planned(inputs).plan.repoUrl).toBe(expected);
});

test.each<[string, Texts, Target, string | undefined, string]>([
  [
    "a ref by name",
    {},
    byName,
    "main",
    "Deploy main as agent: update the deployment of that name, or create it.",
  ],
  ["a ref by id", {}, byId, "main", "Update deployment id-1 to main."],
  [
    "an image, which wins",
    { image_uri: "i:1", repo_ref: "x" },
    byId,
    "i:1",
    "Update deployment id-1 to i:1.",
  ],
  ["nothing", { source: "other" }, byId, undefined, "Update deployment id-1 to its current source."],
])("a plan that deploys %s says so", (_what, inputs, target, source, sentence) => {
  const { plan } = planned(inputs, { target });

  expect(describeSource(plan)).toBe(source);
  expect(describePlan(plan)).toBe(sentence);
});
