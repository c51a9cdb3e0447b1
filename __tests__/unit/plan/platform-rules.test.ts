import { describe, expect, test } from "@jest/globals";
import type { Target } from "../../../src/inputs/target.ts";
import { byId, byName, langsmith, planned, type Texts } from "./support/planned.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

function problems(inputs: Texts, target: Target = byName) {
  return planned(inputs, { target, platform: langsmith }).problems;
}

describe("a name", () => {
  const named = (name: string) => problems({}, { kind: "name", name });

  test.each(["agent", "a", `a${"b".repeat(62)}`, "a-1"])("%s passes", (name) => {
    expect(named(name)).toEqual([]);
  });

  test.each(["Agent", "1agent", "my_agent", "my agent", `a${"b".repeat(63)}`, "-a", "agent."])(
    "%s is refused",
    (name) => {
      const problem = `has to be lower-case letters, digits and dashes, start with a letter and have at most 63 characters on this platform, not "${name}"`;
      expect(named(name)).toEqual([{ input: "name", problem }]);
    },
  );

  test("is quoted so that it can't be taken for a command, and not at any length", () => {
    expect(named("##[error]no")[0]?.problem).toMatch(/, not "## \[error\]no"$/);
    expect(named("B".repeat(101))[0]?.problem).toMatch(/, not "B{99}…"$/);
  });

  test("that is missing was told of where it was read", () => {
    expect(named("")).toEqual([]);
  });

  test("doesn't matter where the deployment is meant by its id", () => {
    expect(problems({}, byId)).toEqual([]);
  });
});

describe("a ref", () => {
  const branchOrTag = {
    input: "repo_ref",
    problem: "has to be a branch or a tag (refs/tags/NAME): this platform doesn't deploy commits",
  };
  const notOnPush = { input: "build_on_push", problem: "has to be false for a tag" };

  test.each<[string, Texts, (typeof notOnPush)[]]>([
    ["that is a commit", { repo_ref: commit }, [branchOrTag]],
    ["that is a commit in capitals", { repo_ref: commit.toUpperCase() }, [branchOrTag]],
    ["whose name ends with a commit", { repo_ref: `release-${commit}` }, []],
    ["whose name begins with a commit", { repo_ref: `${commit}-fix` }, []],
    ["that is a tag", { repo_ref: "refs/tags/v1" }, []],
    ["that is a tag, not built on push", { repo_ref: "refs/tags/v1", build_on_push: "false" }, []],
    ["that is a tag built on push", { repo_ref: "refs/tags/v1", build_on_push: "true" }, [notOnPush]],
    ["that is a branch built on push", { build_on_push: "true" }, []],
    [
      "that isn't there, as an image is deployed",
      { source: "external_docker", image_uri: "image:1", build_on_push: "true" },
      [],
    ],
  ])("%s", (_what, inputs, expected) => {
    expect(problems(inputs)).toEqual(expected);
  });
});

test.each<[string, Texts, { input: string; problem: string }[]]>([
  ["a type that exists", { deployment_type: "prod" }, []],
  [
    "a type that doesn't exist",
    { deployment_type: "production" },
    [{ input: "deployment_type", problem: "has to be one of dev_free, dev, prod on this platform" }],
  ],
  [
    "secrets, two of them with a reserved name",
    { secrets: "PORT=1\nOPENAI_API_KEY=abcd\nPATH=/bin" },
    [
      { input: "secrets", problem: "holds PORT, a name that this platform sets itself" },
      { input: "secrets", problem: "holds PATH, a name that this platform sets itself" },
    ],
  ],
  ["a listener", { listener_id: "l" }, []],
])("%s", (_what, inputs, expected) => {
  expect(problems(inputs)).toEqual(expected);
});

test("all broken rules are told at once", () => {
  const inputs = { repo_ref: commit, deployment_type: "x", secrets: "PATH=/bin" };
  const told = problems(inputs, { kind: "name", name: "My Agent" });
  expect(told.map(({ input }) => input)).toEqual(["name", "repo_ref", "deployment_type", "secrets"]);
});

describe("the standard platform", () => {
  test("has none of these rules", () => {
    const inputs = { repo_ref: commit, deployment_type: "x", secrets: "PATH=/bin" };
    expect(planned(inputs, { target: { kind: "name", name: "My Agent" } }).problems).toEqual([]);
  });

  test("knows no listeners", () => {
    const problem = "isn't known on this platform; see the input platform";
    expect(planned({ listener_id: "l" }).problems).toEqual([{ input: "listener_id", problem }]);
  });
});

test("a create needs no integration and no configuration path there", () => {
  const { plan } = planned({}, { platform: langsmith });
  expect(plan.createProblems).toEqual([]);
  expect(plan.create?.source_revision_config).toEqual({
    repo_ref: "main",
    app_config_path: "langgraph.json",
    image_uri: null,
  });
  expect(plan.update.source_revision_config).toEqual({ repo_ref: "main" });
});

test("a create from an image sends null for what belongs to repositories", () => {
  const inputs = { source: "external_docker", image_uri: "registry.example/a:1", listener_id: "l" };
  expect(planned(inputs, { platform: langsmith }).plan.create).toMatchObject({
    source_config: { integration_id: null, repo_url: null, listener_id: "l" },
    source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "registry.example/a:1" },
  });
});
