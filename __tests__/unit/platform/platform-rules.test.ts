import { expect, test } from "@jest/globals";
import { platforms, standard } from "../../../src/control-plane/platforms.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { readWorkflowRun } from "../../../src/inputs/workflow-run.ts";
import { planDeployment } from "../../../src/plan/deployment-plan.ts";

const run = readWorkflowRun({ GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_REF: "refs/heads/main" });

function planned(inputs: Record<string, string>, name = "agent", platform = platforms.langsmith ?? standard) {
  const entries = Object.entries(inputs).map(([input, value]) => [`INPUT_${input.toUpperCase()}`, value]);
  const { desired } = readDeployInputs(new InputReader(Object.fromEntries(entries)));
  return planDeployment({ kind: "name", name }, desired, run, platform);
}

function problems(inputs: Record<string, string>, name?: string): string[] {
  return planned(inputs, name).problems.map(({ input, problem }) => `${input} ${problem}`);
}

test.each(["agent", "a", `a${"b".repeat(62)}`, "a-1"])("the name %s passes", (name) => {
  expect(problems({}, name)).toEqual([]);
});

test.each(["Agent", "1agent", "my_agent", "my agent", `a${"b".repeat(63)}`, "-a"])(
  "the name %s is refused",
  (name) => {
    expect(problems({}, name)).toEqual([
      expect.stringMatching(/^name has to be lower-case letters, digits and dashes/),
    ]);
  },
);

test.each<[string, Record<string, string>, string[]]>([
  [
    "a commit",
    { repo_ref: "0123456789abcdef0123456789abcdef01234567" },
    ["repo_ref has to be a branch or a tag"],
  ],
  ["a tag", { repo_ref: "refs/tags/v1" }, []],
  [
    "a tag built on push",
    { repo_ref: "refs/tags/v1", build_on_push: "true" },
    ["build_on_push has to be false for a tag"],
  ],
  ["a branch built on push", { build_on_push: "true" }, []],
  ["a type that exists", { deployment_type: "prod" }, []],
  [
    "one that doesn't",
    { deployment_type: "production" },
    ["deployment_type has to be one of dev_free, dev, prod"],
  ],
  ["a reserved secret", { secrets: "OPENAI_API_KEY=abcd\nPATH=/bin" }, ["secrets holds PATH"]],
  ["a listener", { listener_id: "l" }, []],
])("%s", (_what, inputs, expected) => {
  expect(problems(inputs)).toEqual(expected.map((problem) => expect.stringContaining(problem)));
});

test("the standard platform has none of these rules, and no listeners", () => {
  const inputs = {
    repo_ref: "0123456789abcdef0123456789abcdef01234567",
    deployment_type: "x",
    secrets: "PATH=/bin",
  };
  expect(planned(inputs, "My Agent", standard).problems).toEqual([]);
  expect(planned({ listener_id: "l" }, "agent", standard).problems).toEqual([
    expect.objectContaining({ input: "listener_id" }),
  ]);
});

test("a create needs no integration and no configuration path there", () => {
  const { plan } = planned({});
  expect(plan.createProblems).toEqual([]);
  expect(plan.findsIntegration).toBe(true);
  expect(plan.create?.source_revision_config).toEqual({
    repo_ref: "main",
    app_config_path: "langgraph.json",
    image_uri: null,
  });
  expect(plan.update.source_revision_config).toEqual({ repo_ref: "main" });
});

test("a create from an image sends null for what belongs to repositories", () => {
  const { plan } = planned({
    source: "external_docker",
    image_uri: "registry.example/a:1",
    listener_id: "l",
  });
  expect(plan.findsIntegration).toBe(false);
  expect(plan.create).toMatchObject({
    source_config: { integration_id: null, repo_url: null, listener_id: "l" },
    source_revision_config: { repo_ref: null, app_config_path: null, image_uri: "registry.example/a:1" },
  });
});
