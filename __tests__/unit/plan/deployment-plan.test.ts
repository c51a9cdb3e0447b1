import { describe, expect, test } from "@jest/globals";
import { type Target, titleOf } from "../../../src/inputs/target.ts";
import { byId, byName, fromGitHub, langsmith, onMain, planned, type Texts } from "./support/planned.ts";

test.each<[Target, string]>([
  [{ kind: "id", id: "id-1" }, "id-1"],
  [{ kind: "name", name: "agent" }, "agent"],
  [{ kind: "name", name: "agent", recordedId: "id-1" }, "agent"],
])("%j is called %s", (target, title) => {
  expect(titleOf(target)).toBe(title);
});

describe("a create", () => {
  test("isn't there for a deployment_id, and nothing is missing for it", () => {
    for (const inputs of [fromGitHub, {}]) {
      expect(planned(inputs, { target: byId }).plan).toMatchObject({ create: undefined, createProblems: [] });
    }
  });

  test.each<[string, Texts, string[]]>([
    ["an integration and a path", {}, ["integration_id", "app_config_path"]],
    ["a path", { integration_id: "i-1" }, ["app_config_path"]],
    ["an integration", { app_config_path: "app.json" }, ["integration_id"]],
    ["both, with an image and no source", { image_uri: "image:1" }, ["integration_id", "app_config_path"]],
  ])("lacks %s", (_what, inputs, missing) => {
    const { plan, problems } = planned(inputs);
    expect(problems).toEqual([]);
    expect(plan.create).toBeUndefined();
    expect(plan.createProblems).toEqual(missing.map(missingOnCreate));
  });

  test("lacks a repository outside of a workflow", () => {
    const { plan } = planned({ ...fromGitHub, repo_ref: "main" }, { env: {} });
    expect(plan.createProblems).toEqual([missingOnCreate("repo_url")]);
  });

  function missingOnCreate(input: string) {
    const problem = "has to be given to create a deployment from a repository (from an image: set source)";
    return { input, problem };
  }

  test.each<[string, Texts, typeof langsmith | undefined, boolean]>([
    ["where it isn't given", {}, langsmith, true],
    ["not where it is given", { integration_id: "i-1" }, langsmith, false],
    ["not for an image", { source: "external_docker", image_uri: "image:1" }, langsmith, false],
    ["not on a platform that doesn't show integrations", {}, undefined, false],
  ])("finds the integration first %s", (_what, inputs, platform, finds) => {
    expect(planned(inputs, platform && { platform }).plan.findsIntegration).toBe(finds);
  });
});

describe("a ref has to be given", () => {
  const other = "has to be given, because repo_url is another repository than this one";
  const image = "or repo_ref has to be given with source external_docker";
  const none = (run: string) => `has to be given: a run of ${run} has no branch or tag of its own`;

  test.each<[string, Texts, Texts, string, string]>([
    ["for another repository", { repo_url: "https://github.com/a/b" }, onMain, "repo_ref", other],
    ["for a repository outside of a workflow", { repo_url: "https://github.com/a/b" }, {}, "repo_ref", other],
    ["outside of a workflow", {}, {}, "repo_ref", none("this event")],
    [
      "for a run without a branch",
      {},
      { ...onMain, GITHUB_REF: "refs/pull/1/merge" },
      "repo_ref",
      none("refs/pull/1/merge"),
    ],
    ["or an image, for another source", { source: "external_docker" }, onMain, "image_uri", image],
  ])("%s", (_what, inputs, env, input, problem) => {
    expect(planned(inputs, { env }).problems).toEqual([{ input, problem }]);
    expect(planned({ ...inputs, repo_ref: "release" }, { env }).problems).toEqual([]);
  });

  test.each<[string, Texts]>([
    ["this repository, however it is spelled", { repo_url: "https://GITHUB.com/octo-org/octo-repo.git/" }],
    ["an image of another one", { repo_url: "https://github.com/a/b", image_uri: "image:1" }],
  ])("not for %s", (_what, inputs) => {
    expect(planned(inputs).problems).toEqual([]);
  });
});

describe("the repository that a deployment found by name has to be of", () => {
  test.each<[string, Texts, string | undefined]>([
    ["this one", {}, "https://github.com/octo-org/octo-repo"],
    ["the given one", { repo_url: "https://github.com/a/b", repo_ref: "x" }, "https://github.com/a/b"],
    ["none for an image source", { source: "external_docker", image_uri: "image:1" }, undefined],
  ])("%s", (_what, inputs, expected) => {
    expect(planned(inputs, { target: byName }).plan.repoUrl).toBe(expected);
  });
});
