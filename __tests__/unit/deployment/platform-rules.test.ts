import { describe, expect, test } from "@jest/globals";
import {
  changedFixedFields,
  type FixedField,
  shownFixedFields,
  withoutFixedFields,
} from "../../../src/deploy/plan/rules.ts";
import type { Target } from "../../../src/inputs/target.ts";
import type { Deployment } from "../../../src/platform/deployment.ts";
import { standard } from "../../../src/platform/platforms.ts";
import { deploymentOf } from "../support/wire.ts";
import { byId, byName, langsmith, planned, type Texts } from "./support/planned.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

function problems(inputs: Texts, target: Target = byName) {
  return planned(inputs, { target, platform: langsmith }).problems;
}

const about = (input: string, problem: RegExp) => [{ input, problem: expect.stringMatching(problem) }];

describe("a name", () => {
  const named = (name: string) => problems({}, { kind: "name", name });

  test.each(["agent", "a", `a${"b".repeat(62)}`, "a-1", ""])(
    "%j is accepted, or was rejected before",
    (name) => {
      expect(named(name)).toEqual([]);
    },
  );

  test.each(["Agent", "1agent", "my_agent", "my agent", `a${"b".repeat(63)}`, "-a", "agent."])(
    "%s is refused with the rule",
    (name) => {
      const rule = /^must consist of lower-case letters.* at most 63 characters on this platform, not "/;
      expect(named(name)).toEqual(about("name", rule));
      expect(named(name)[0]?.problem).toContain(`"${name}"`);
    },
  );

  test("is quoted sanitized and cut", () => {
    expect(named("##[error]no")[0]?.problem).toMatch(/, not "## \[error\]no"$/);
    expect(named("B".repeat(101))[0]?.problem).toMatch(/, not "B{99}…"$/);
  });

  test("is not checked if deployment_id is given", () => {
    expect(problems({}, byId)).toEqual([]);
  });
});

const notCommit = about("repo_ref", /^must be a branch or a tag.* does not deploy commits$/);
const notOnPush = about("build_on_push", /^must be false for a tag$/);

test.each<[string, Texts, unknown]>([
  ["a commit as ref", { repo_ref: commit }, notCommit],
  ["a commit in capitals as ref", { repo_ref: commit.toUpperCase() }, notCommit],
  ["a ref that ends with a commit", { repo_ref: `release-${commit}` }, []],
  ["a ref that starts with a commit", { repo_ref: `${commit}-fix` }, []],
  ["a tag", { repo_ref: "refs/tags/v1" }, []],
  ["a tag that is not built on push", { repo_ref: "refs/tags/v1", build_on_push: "false" }, []],
  ["a tag that is built on push", { repo_ref: "refs/tags/v1", build_on_push: "true" }, notOnPush],
  ["a branch that is built on push", { build_on_push: "true" }, []],
  ["a branch named like a tag", { repo_ref: "x/refs/tags/v1", build_on_push: "true" }, []],
  ["no ref", { source: "external_docker", image_uri: "image:1", build_on_push: "true" }, []],
  ["a known type", { deployment_type: "prod" }, []],
  ["an unknown type", { deployment_type: "production" }, []],
  [
    "secrets with reserved names",
    { secrets: "REDIS_URI=1\nOPENAI_API_KEY=abcd\nLOG_JSON=true" },
    [...about("secrets", /^contains REDIS_URI,.* sets itself$/), ...about("secrets", /^contains LOG_JSON,/)],
  ],
  ["secrets whose names only the cloud reserves", { secrets: "PORT=1\nLANGSMITH_API_KEY=abcd" }, []],
  ["a listener", { listener_id: "l" }, []],
])("the rules of langsmith judge %s", (_what, inputs, expected) => {
  expect(problems(inputs)).toEqual(expected);
});

test.each(Object.entries(langsmith.regions))(
  "the cloud in %s reserves more names of secrets",
  (_region, hosts) => {
    const inputs = { secrets: "PORT=1\nPATH_1=/bin\nPATH=/bin" };

    const { problems, notices } = planned(inputs, { platform: langsmith, url: hosts.controlPlane });

    expect(problems).toEqual([
      ...about("secrets", /^contains PORT,/),
      ...about("secrets", /^contains PATH,/),
    ]);
    expect(notices).toEqual([]);
  },
);

test("all broken rules are reported at once", () => {
  const inputs = { repo_ref: commit, secrets: "LOG_JSON=true" };

  const reported = problems(inputs, { kind: "name", name: "My Agent" });

  expect(reported.map(({ input }) => input)).toEqual(["name", "repo_ref", "secrets"]);
});

test("the standard platform has none of these rules, but no listeners", () => {
  const inputs = { repo_ref: commit, deployment_type: "x", secrets: "PATH=/bin\nLOG_JSON=true" };
  const target = { kind: "name", name: "An Agent with a very long name" } as const;

  expect(planned(inputs, { target })).toMatchObject({
    problems: [],
    notices: [],
    plan: { createWarning: undefined },
  });
  expect(planned({ listener_id: "l" }).problems).toEqual(
    about("listener_id", /not supported.*input platform/),
  );
});

const given: Texts = {
  source: "github",
  integration_id: "i-1",
  repo_url: "https://github.com/a/b",
  deployment_type: "prod",
  repo_ref: "main",
};

/** A deployment that shows what was given, except for these fields; `null`: not shown. */
function shown(other: Readonly<Record<string, string | null>> = {}): Deployment {
  const { source, ...sourceConfig } = { ...given, ...other };
  return deploymentOf({ source, source_config: sourceConfig });
}

const showsNothing = shown({ source: null, integration_id: null, repo_url: null, deployment_type: null });

function planOf(inputs: Texts, platform = langsmith) {
  return planned(inputs, { platform }).plan;
}

test.each<[string, Texts, FixedField[]]>([
  [
    "all of them",
    given,
    [
      { input: "source", value: "github" },
      { input: "integration_id", value: "i-1" },
      { input: "repo_url", value: "https://github.com/a/b" },
      { input: "deployment_type", value: "prod", others: ["dev_free", "dev"] },
    ],
  ],
  [
    "one among others",
    { deployment_type: "dev", build_on_push: "true" },
    [{ input: "deployment_type", value: "dev", others: ["dev_free", "prod"] }],
  ],
  ["none", { repo_ref: "main", custom_url: "https://x.example" }, []],
])("the given inputs with a fixed value are found: %s", (_what, inputs, expected) => {
  expect(planOf(inputs).fixed).toEqual(expected);
  expect(planOf(inputs, standard).fixed).toEqual([]);
});

describe("a change of a fixed value", () => {
  const refused = (input: string, current: string, wanted: string) => ({
    input,
    problem: `can't change once the deployment exists: it is "${current}", not "${wanted}"`,
  });

  test.each<[string, string, string]>([
    ["source", "internal_source", "github"],
    ["integration_id", "i-2", "i-1"],
    ["integration_id", "I-1", "i-1"],
    ["repo_url", "https://github.com/a/c", "https://github.com/a/b"],
    ["deployment_type", "dev", "prod"],
  ])("of %s, which is %s, is refused", (input, current, wanted) => {
    expect(changedFixedFields(planOf(given).fixed, shown({ [input]: current }))).toEqual([
      refused(input, current, wanted),
    ]);
  });

  test("is reported together with others", () => {
    const deployment = shown({ source: "internal_source", deployment_type: "dev" });

    expect(changedFixedFields(planOf(given).fixed, deployment)).toEqual([
      refused("source", "internal_source", "github"),
      refused("deployment_type", "dev", "prod"),
    ]);
  });

  test("is quoted sanitized and cut", () => {
    const wanted = { ...given, integration_id: `##[group]${"i".repeat(300)}` };
    const deployment = shown({ integration_id: "i-1\n::error::gone" });

    expect(changedFixedFields(planOf(wanted).fixed, deployment)).toEqual([
      refused("integration_id", "i-1 ::error::gone", `## [group]${"i".repeat(189)}…`),
    ]);
  });

  test.each<[string, Texts, Deployment]>([
    ["the same values", given, shown()],
    [
      "the same repository in another spelling",
      { ...given, repo_url: "https://GitHub.com/A/b.git" },
      shown(),
    ],
    ["no fixed value", { repo_ref: "main" }, shown()],
    ["a type of another generation", { deployment_type: "dedicated" }, shown()],
    ["a type that is not known", { deployment_type: "production" }, shown()],
    [
      "a type if an unknown one is shown",
      { deployment_type: "prod" },
      shown({ deployment_type: "production" }),
    ],
    ["values that the platform does not show", given, showsNothing],
  ])("is not seen in %s", (_what, inputs, deployment) => {
    expect(changedFixedFields(planOf(inputs).fixed, deployment)).toEqual([]);
  });
});

const onMain = { source_revision_config: { repo_ref: "main" } };
const { source: _, repo_ref: __, ...sourceConfig } = given;

test.each<[string, Texts, Deployment, unknown]>([
  [
    "without fixed values that the deployment shows, and with the rest",
    { ...given, build_on_push: "true", custom_url: "https://x.example", secrets: "A=1" },
    shown(),
    {
      source_config: { build_on_push: true, custom_url: "https://x.example" },
      ...onMain,
      secrets: [{ name: "A", value: "1" }],
    },
  ],
  ["without source_config if nothing of it is left", given, shown(), onMain],
  [
    "without another spelling of the repository, which would be refused",
    { repo_url: "https://github.com/a/b.git", repo_ref: "main" },
    shown(),
    onMain,
  ],
  [
    "with all that the deployment does not show",
    given,
    showsNothing,
    { source_config: sourceConfig, ...onMain },
  ],
  [
    "with the one value that the deployment does not show",
    given,
    shown({ integration_id: null }),
    { source_config: { integration_id: "i-1" }, ...onMain },
  ],
  ["as it is if it has no source_config", { source: "github", repo_ref: "main" }, shown(), onMain],
  [
    "as it is if it has no fixed value",
    { build_on_push: "false", repo_ref: "main" },
    shown(),
    { source_config: { build_on_push: false }, ...onMain },
  ],
])("an update is sent %s", (_what, inputs, deployment, expected) => {
  const { update, fixed } = planOf(inputs);

  expect(withoutFixedFields(update, shownFixedFields(fixed, deployment))).toStrictEqual(expected);
});

test("an update is sent as it is to the standard platform", () => {
  const { update, fixed } = planOf(given, standard);

  expect(withoutFixedFields(update, shownFixedFields(fixed, shown()))).toStrictEqual({
    source_config: sourceConfig,
    ...onMain,
  });
});
