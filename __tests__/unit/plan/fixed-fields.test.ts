import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { changedFixedFields, withoutFixedFields } from "../../../src/deployment/platform-rules.ts";
import { type Deployment, toDeployment } from "../../../src/platform/deployment.ts";
import { standard } from "../../../src/platform/platforms.ts";
import { DeploymentSchema } from "../../../src/platform/schemas.ts";
import { langsmith, planned, type Texts } from "./support/planned.ts";

const given: Texts = {
  source: "github",
  integration_id: "i-1",
  repo_url: "https://github.com/a/b",
  deployment_type: "prod",
  repo_ref: "main",
};

/** A deployment as the platform shows it, with what was given unless told otherwise; `null`: not shown. */
function shown(other: Readonly<Record<string, string | null>> = {}): Deployment {
  const { source, ...sourceConfig } = { ...given, ...other };
  return toDeployment(v.parse(DeploymentSchema, { id: "id-1", source, source_config: sourceConfig }));
}

const notShown = shown({ source: null, integration_id: null, repo_url: null, deployment_type: null });

function plan(inputs: Texts, platform = langsmith) {
  return planned(inputs, { platform }).plan;
}

describe("the given inputs that can't change once the deployment exists", () => {
  test.each<[string, Texts, { input: string; value: string }[]]>([
    [
      "all of them",
      given,
      [
        { input: "source", value: "github" },
        { input: "integration_id", value: "i-1" },
        { input: "repo_url", value: "https://github.com/a/b" },
        { input: "deployment_type", value: "prod" },
      ],
    ],
    [
      "one beside others that can",
      { deployment_type: "dev", build_on_push: "true" },
      [{ input: "deployment_type", value: "dev" }],
    ],
    ["none", { repo_ref: "main", custom_url: "https://x.example" }, []],
  ])("%s", (_what, inputs, expected) => {
    expect(plan(inputs).fixed).toEqual(expected);
  });

  test("there are none where the platform has no such rule", () => {
    expect(planned(given).plan.fixed).toEqual([]);
  });
});

describe("a change of what can't change is refused", () => {
  function refused(input: string, there: string, asked: string) {
    const problem = `can't change once the deployment exists: it is "${there}", and this run asks for "${asked}"`;
    return { input, problem };
  }

  test.each<[string, string, string]>([
    ["source", "internal_source", "github"],
    ["integration_id", "i-2", "i-1"],
    ["integration_id", "I-1", "i-1"],
    ["repo_url", "https://github.com/a/c", "https://github.com/a/b"],
    ["deployment_type", "dev", "prod"],
  ])("%s, which is %s", (input, there, asked) => {
    expect(changedFixedFields(plan(given).fixed, shown({ [input]: there }))).toEqual([
      refused(input, there, asked),
    ]);
  });

  test("two at once", () => {
    const there = shown({ source: "internal_source", deployment_type: "dev" });
    expect(changedFixedFields(plan(given).fixed, there)).toEqual([
      refused("source", "internal_source", "github"),
      refused("deployment_type", "dev", "prod"),
    ]);
  });

  test("quoted so that neither can be taken for a command, and not at any length", () => {
    const asked = { ...given, integration_id: `##[group]${"i".repeat(300)}` };
    const there = shown({ integration_id: "i-1\n::error::gone" });
    expect(changedFixedFields(plan(asked).fixed, there)).toEqual([
      refused("integration_id", "i-1 ::error::gone", `## [group]${"i".repeat(189)}…`),
    ]);
  });

  test.each<[string, Texts, Deployment]>([
    ["what is there", given, shown()],
    [
      "the repository that is there, in another spelling",
      { ...given, repo_url: "https://GitHub.com/A/b.git" },
      shown(),
    ],
    ["nothing of it", { repo_ref: "main" }, shown()],
    ["what isn't shown", given, notShown],
  ])("not where a run asks for %s", (_what, inputs, there) => {
    expect(changedFixedFields(plan(inputs).fixed, there)).toEqual([]);
  });
});

describe("an update", () => {
  const revision = { source_revision_config: { repo_ref: "main" } };
  const { source: _, repo_ref: __, ...sourceConfig } = given;

  function updated(inputs: Texts, there: Deployment, platform = langsmith) {
    const { update, fixed } = plan(inputs, platform);
    return withoutFixedFields(update, fixed, there);
  }

  test("leaves out what is there already, and keeps the rest", () => {
    const inputs = { ...given, build_on_push: "true", custom_url: "https://x.example", secrets: "A=1" };
    expect(updated(inputs, shown())).toStrictEqual({
      source_config: { build_on_push: true, custom_url: "https://x.example" },
      ...revision,
      secrets: [{ name: "A", value: "1" }],
    });
  });

  test("has no source_config where nothing is left of it", () => {
    expect(updated(given, shown())).toStrictEqual(revision);
  });

  test("leaves out another spelling of the repository, which would be refused", () => {
    const inputs = { repo_url: "https://github.com/a/b.git", repo_ref: "main" };
    expect(updated(inputs, shown())).toStrictEqual(revision);
  });

  test("keeps what the platform doesn't show, alone or beside what it shows", () => {
    expect(updated(given, notShown)).toStrictEqual({ source_config: sourceConfig, ...revision });
    expect(updated(given, shown({ integration_id: null }))).toStrictEqual({
      source_config: { integration_id: "i-1" },
      ...revision,
    });
  });

  test("stays as it is where it has no source_config", () => {
    expect(updated({ source: "github", repo_ref: "main" }, shown())).toStrictEqual(revision);
  });

  test("stays as it is where nothing of it is fixed", () => {
    const inputs = { build_on_push: "false", repo_ref: "main" };
    expect(updated(inputs, shown())).toStrictEqual({ source_config: { build_on_push: false }, ...revision });
    expect(updated(given, shown(), standard)).toStrictEqual({ source_config: sourceConfig, ...revision });
  });
});
