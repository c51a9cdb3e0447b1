import { describe, expect, test } from "@jest/globals";
import { assertUpdatable } from "../../../../src/deploy/plan/immutable.ts";
import type { DeployPlan } from "../../../../src/deploy/plan/plan.ts";
import { Failure } from "../../../../src/errors.ts";
import type { Deployment } from "../../../../src/platform/deployment.ts";
import { standard } from "../../../../src/platform/platforms.ts";
import { rawText } from "../../../../src/text/message.ts";
import { deploymentOf } from "../../support/wire.ts";
import { given, langsmith, planned, type Texts } from "../support/planned.ts";

/** A deployment that shows what was given, except for these fields; `null`: not shown. */
function shown(other: Readonly<Record<string, string | null>> = {}): Deployment {
  const { source, ...sourceConfig } = { ...given, ...other };
  return deploymentOf({ source, source_config: sourceConfig });
}

const showsNothing = shown({ source: null, integration_id: null, repo_url: null, deployment_type: null });

function planOf(inputs: Texts, platform = langsmith): DeployPlan {
  return planned(inputs, { platform }).plan;
}

/** The problems of an update, one to a line. */
function problemsOf(inputs: Texts, deployment: Deployment, platform = langsmith): string | undefined {
  const { desired } = planOf(inputs, platform);
  try {
    assertUpdatable(desired, deployment, platform);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.ending.problems.length === 0 ? error.message : error.ending.problems.map(rawText).join("\n");
  }
}

describe("a change of an immutable value", () => {
  const refused = (input: string, current: string, wanted: string) =>
    `Input ${input} can't change once the deployment exists: it is ${current}, not ${wanted}.`;

  test.each<[string, string, string]>([
    ["source", "internal_source", "github"],
    ["integration_id", "i-2", "i-1"],
    ["integration_id", "I-1", "i-1"],
    ["deployment_type", "dev", "prod"],
    ["deployment_type", "serverless", "prod"],
    ["deployment_type", "dev_free_zero", "prod"],
  ])("of %s, which is %s, is refused", (input, current, wanted) => {
    const deployment = shown({ [input]: current });

    expect(problemsOf(given, deployment)).toBe(refused(input, current, wanted));
    expect(problemsOf(given, deployment, standard)).toBeUndefined();
  });

  test("is reported together with others", () => {
    const deployment = shown({ source: "internal_source", deployment_type: "dev" });

    expect(problemsOf(given, deployment)).toBe(
      `${refused("source", "internal_source", "github")}\n${refused("deployment_type", "dev", "prod")}`,
    );
  });

  test.each<[string, Texts, Deployment]>([
    ["the same values", given, shown()],
    ["no immutable value", { repo_ref: "main" }, shown()],
    ["another word for the same type", { deployment_type: "dedicated" }, shown()],
    [
      "a type that is shown in an older word",
      { deployment_type: "serverless" },
      shown({ deployment_type: "dev_zero" }),
    ],
    ["the older word for a type", { deployment_type: "dev_free" }, shown({ deployment_type: "serverless" })],
    [
      "a type that the platform has moved",
      { deployment_type: "dev" },
      shown({ deployment_type: "dev_zero" }),
    ],
    ["a type that is not known", { deployment_type: "production" }, shown()],
    [
      "a type if an unknown one is shown",
      { deployment_type: "prod" },
      shown({ deployment_type: "production" }),
    ],
    ["values that the platform does not show", given, showsNothing],
  ])("is not seen in %s", (_what, inputs, deployment) => {
    expect(problemsOf(inputs, deployment)).toBeUndefined();
  });
});

describe("a deployment", () => {
  test.each<[string, string, Texts, string]>([
    ["of an upload needs source_path", "internal_source", { repo_ref: "main" }, "source_path"],
    ["of an image needs image_uri", "external_docker", { repo_ref: "main" }, "image_uri"],
  ])("a deployment %s to be updated", (_what, source, inputs, needed) => {
    expect(problemsOf(inputs, shown({ source }))).toMatch(
      new RegExp(`^Input ${needed} is required, because the deployment's source is ${source},`),
    );
  });

  test.each<[string, string, Texts]>([
    ["of an upload is updated with another upload", "internal_source", { source_path: "." }],
    ["of an image is updated with another image", "external_docker", { image_uri: "image:2" }],
    ["of an unknown source is updated without a check", "future_source", { repo_ref: "main" }],
  ])("a deployment %s", (_what, source, inputs) => {
    expect(problemsOf(inputs, shown({ source }))).toBeUndefined();
  });

  test("of an upload keeps its type with another upload", () => {
    const deployment = shown({ source: "internal_source", deployment_type: "dev" });

    expect(problemsOf({ source_path: ".", deployment_type: "prod" }, deployment)).toMatch(
      /^Input deployment_type can't change once the deployment exists: it is dev, not prod/,
    );
  });

  test("of a repository can't be updated with an upload", () => {
    expect(problemsOf({ source_path: "." }, shown())).toMatch(
      /^Input source_path can't be used: the deployment's source is github,/,
    );
  });
});
