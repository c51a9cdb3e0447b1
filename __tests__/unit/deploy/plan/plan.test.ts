import { describe, expect, test } from "@jest/globals";
import { deploysRepositoryOfRun } from "../../../../src/deploy/plan/desired-on-create.ts";
import { describeContent } from "../../../../src/deploy/plan/plan.ts";
import { standard } from "../../../../src/platform/standard.ts";
import { rawText } from "../../../../src/text/message.ts";
import { eventPullRequest, headOf } from "../../../support/event-pull-request.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { deploymentOf } from "../../support/wire.ts";
import { byId, langsmith, langsmithCloud, onMain, planned, type Texts } from "../support/planned.ts";

describe("a plan to create", () => {
  test("has the default of the configuration path on a platform that has one, and the update does not", () => {
    const { plan, create } = planned({}, { platform: langsmith });

    expect(create.content).toEqual({ repoRef: "main", appConfigPath: "langgraph.json" });
    expect(plan.desired.content).toEqual({ repoRef: "main" });
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
    const { problems, hints } = planned(inputs, { env });

    expect(problems).toEqual([{ input, problem: expect.stringMatching(problem) }]);
    expect(hints).toEqual([`Set ${input} in the step's with: block.`]);
    expect(planned({ ...inputs, repo_ref: "release" }, { env }).problems).toEqual([]);
  });

  test("is required for a pull request of a fork, whose branch is not in this repository", () => {
    const env = { ...onMain, GITHUB_EVENT_NAME: "pull_request", GITHUB_REF: "refs/pull/1/merge" };
    const pull_request = eventPullRequest({ head: headOf("stranger/octo-repo") });
    const pullRequestEvent = { action: "opened", pull_request };

    const { problems, hints } = planned({}, { env, pullRequestEvent });

    expect(problems).toEqual([
      { input: "repo_ref", problem: expect.stringMatching(/^is required.* a fork/) },
    ]);
    expect(hints).toEqual([expect.stringMatching(/^Set repo_ref, or skip forks with if: github\.event/)]);
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
  expect(planned(inputs).create.repoUrl).toBe(expected);
});

test.each<[string, Texts, string | undefined]>([
  ["a ref", {}, "main"],
  ["an image, which wins", { image_uri: "i:1", repo_ref: "x" }, "i:1"],
  ["nothing", { source: "other" }, undefined],
  ["the checkout", { source_path: "." }, "the files in the checkout"],
  ["a folder", { source_path: "agents/a" }, "the files in agents/a"],
])("a plan that deploys %s says so", (_what, inputs, source) => {
  const described = describeContent(planned(inputs, { target: byId, platform: langsmith }).plan);

  expect(described && rawText(described)).toBe(source);
});

test.each([
  ["in the cloud", langsmithCloud, "serverless"],
  ["on a host of one's own", langsmith, "dev"],
])("a create %s has a deployment_type by default", (_where, platform, type) => {
  const { create } = planned({}, { platform });

  expect(create.deploymentType).toBe(type);
});

test.each<[string, Texts, readonly string[]]>([
  [
    "another source",
    { source: "external_docker", image_uri: "i:1", build_on_push: "true" },
    ["build_on_push is not sent, because only source github accepts it."],
  ],
  ["another source without it", { source: "external_docker", image_uri: "i:1" }, []],
  ["source github", { source: "github", build_on_push: "true" }, []],
  ["no source", { build_on_push: "true" }, []],
])("build_on_push with %s gets a notice only if it is not sent", (_what, inputs, notices) => {
  expect(planned(inputs).notices).toEqual(notices);
});

test.each<[string, Texts, boolean, boolean]>([
  ["an image in the platform's registry", { source: "internal_docker", image_uri: "i:1" }, true, false],
  ["another image", { source: "external_docker", image_uri: "i:1" }, false, false],
  ["a repository", {}, false, false],
])("the source %s comes after the create only if it has to", (_what, inputs, onLangsmith, onStandard) => {
  const { desired } = planned(inputs).plan;

  expect(langsmith.createsWithoutRevision(desired.sourceKind)).toBe(onLangsmith);
  expect(standard.createsWithoutRevision(desired.sourceKind)).toBe(onStandard);
});

test.each<[string, Texts, boolean]>([
  ["that of the run", {}, true],
  ["a given one", { repo_ref: "main" }, false],
  ["none, but an image", { image_uri: "i:1" }, false],
])("a plan knows whether its ref is that of the run: %s", (_which, inputs, isRefOfRun) => {
  expect(planned(inputs).plan.isRefOfRun).toBe(isRefOfRun);
});

test("an upload sends no ref, and needs no image either", () => {
  const { plan, problems } = planned({ source_path: "." }, { platform: langsmith });

  expect(problems).toEqual([]);
  expect(plan.desired.content.repoRef).toBeUndefined();
});

test("a plan reports what the platform does not support", () => {
  expect(planned({ listener_id: "x" }).problems).toEqual([
    { input: "listener_id", problem: "is not supported on this platform" },
  ]);
});

test("a plan says that build_on_push is not sent with an image", () => {
  const { notices } = planned({ source: "external_docker", image_uri: "i:1", build_on_push: "true" });

  expect(notices).toEqual([expect.stringContaining("build_on_push is not sent")]);
});

test("the repository of a plan is that of the input, of the deployment or, for a create, of the run", () => {
  const { workflow } = recordingContext(onMain);
  const { plan } = planned({});
  const { plan: moved } = planned({ repo_url: "https://github.com/octo-org/octo-repo" });
  const foreign = deploymentOf({ source_config: { repo_url: "https://example.com/shown" } });

  expect(deploysRepositoryOfRun({ plan: moved, workflow }, foreign)).toBe(true);
  expect(deploysRepositoryOfRun({ plan, workflow }, foreign)).toBe(false);
  expect(deploysRepositoryOfRun({ plan, workflow }, deploymentOf({}))).toBe(true);
  expect(deploysRepositoryOfRun({ plan, workflow }, undefined)).toBe(true);
});
