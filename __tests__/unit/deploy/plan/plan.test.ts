import { describe, expect, test } from "@jest/globals";
import { describeSource } from "../../../../src/deploy/plan/plan.ts";
import { type Target, titleOf } from "../../../../src/inputs/control-plane.ts";
import { byId, byName, fromGitHub, langsmith, onMain, planned, type Texts } from "../support/planned.ts";

test.each<[Target, string]>([
  [byId, "id-1"],
  [byName, "agent"],
  [{ kind: "name", name: "agent", recordedId: "id-1" }, "agent"],
])("the title of %j is %s", (target, title) => {
  expect(titleOf(target)).toBe(title);
});

describe("a plan to create", () => {
  test("does not exist for a deployment_id", () => {
    expect(planned(fromGitHub, { target: byId }).plan.create).toBeUndefined();
  });

  test("has the default of the configuration path on a platform that has one, and the update does not", () => {
    const { plan } = planned({}, { platform: langsmith });

    expect(plan.create?.source_revision_config).toEqual({
      repo_ref: "main",
      app_config_path: "langgraph.json",
      image_uri: null,
    });
    expect(plan.update.source_revision_config).toEqual({ repo_ref: "main" });
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

test.each<[string, Texts, string | undefined]>([
  ["a ref", {}, "main"],
  ["an image, which wins", { image_uri: "i:1", repo_ref: "x" }, "i:1"],
  ["nothing", { source: "other" }, undefined],
])("a plan that deploys %s says so", (_what, inputs, source) => {
  expect(describeSource(planned(inputs, { target: byId }).plan)).toBe(source);
});
