import { expect, test } from "@jest/globals";
import { withControlPlane } from "../../../src/context.ts";
import { deploy } from "../../../src/deploy/deploy.ts";
import { makePlan } from "../../../src/deploy/plan/plan.ts";
import { lookUpByName } from "../../../src/deployments/look-up-deployment.ts";
import { readTarget } from "../../../src/inputs/read-control-plane.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { createLangsmith } from "../../../src/platform/langsmith.ts";
import { answer } from "../../support/faults.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { inputVariables } from "../../support/runner/step-environment.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  pushToMain,
  type Scenario,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { readDeploy } from "../../unit/inputs/support/reading.ts";

/** Deploys to the emulator as to a region of the vendor's cloud, and returns what was sent to create it. */
async function deployToCloud(scenario: Scenario, given: Inputs = {}) {
  const { emulator, clock } = scenario;
  const place = { platform: "langsmith", control_plane_url: emulator.url, name: "agent", ...given };
  const env = { api_key: emulator.apiKey, workspace_id: emulator.workspaceId, ...place };
  const own = recordingContext({ ...pushToMain, ...inputVariables(env) }, clock);
  const reader = new InputReader(own.env);
  const inputs = readDeploy(reader, createLangsmith(true));
  const { settings, options } = inputs;
  const plan = makePlan(reader, readTarget(reader), inputs.given, settings.platform, own.workflow);
  const platformOnly = withControlPlane(own, settings, options.timeoutMs);
  const context = {
    ...platformOnly,
    options,
    plan,
    lookUp: () => lookUpByName(platformOnly, "agent"),
    archive: undefined,
    github: undefined,
    record: undefined,
    records: [],
  };
  const result = await deploy(context).catch((error: unknown) => error);
  const creates = writes(emulator.requests).filter(({ path }) => path === "/v2/deployments");
  return { result, bodies: creates.map(({ body }) => body), lines: own.recorded.lines };
}

const typed = (deployment_type: string) => ({ source_config: { deployment_type } });

test("on the vendor's cloud a deployment is created as serverless by default", async () => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });

  const { result, bodies } = await deployToCloud(scenario);

  expect(result).toMatchObject({ outcome: "deployed" });
  expect(bodies).toMatchObject([typed("dev_zero")]);
});

const refusal = { body: { detail: "Scale to zero deployments are not supported in AWS environments" } };

test("a default that the platform refuses because it sleeps when idle becomes dev, with a warning", async () => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  scenario.emulator.addFault(answer("POST ^/v2/deployments$", 400, refusal));

  const { result, bodies, lines } = await deployToCloud(scenario);

  expect(result).toMatchObject({ outcome: "deployed" });
  expect(bodies).toMatchObject([typed("dev_zero"), typed("dev")]);
  const warnings = lines.filter(({ kind }) => kind === "warning").map(({ text }) => text);
  expect(warnings).toContainEqual(
    expect.stringMatching(/not supported in AWS.*with deployment_type: dev instead/),
  );
});

test.each(["serverless", "dev_zero"])(
  "the given type %s that the platform refuses is an error",
  async (deployment_type) => {
    const { deploy: run, emulator } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
    emulator.addFault(answer("POST ^/v2/deployments$", 400, refusal));

    const refused = await run({ deployment_type });

    expectError(refused, "not supported in AWS", "deployment_type", "serverless", "dedicated");
    expect(writes(refused.requests)).toHaveLength(1);
  },
);

test("another refusal of a create is not repeated", async () => {
  const { deploy: run, emulator } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  emulator.addFault(answer("POST ^/v2/deployments$", 400, { body: { detail: "no quota" } }));

  const refused = await run();

  expectError(refused, "no quota");
  expect(writes(refused.requests)).toHaveLength(1);
});

test.each([
  ["langsmith", "serverless", "dev_zero"],
  ["langsmith", "dedicated", "prod"],
  ["langsmith", "dev", "dev"],
  ["langsmith", "dev_free", "dev_free"],
  ["standard", "serverless", "serverless"],
  ["standard", "dedicated", "dedicated"],
] as const)(
  "platform %s is sent the type %s as %s, also in a dry run",
  async (platform, deployment_type, sent) => {
    const { deploy: run } = await startScenario({ platform, statusSeconds: 0 });

    const planned = await run({ deployment_type, dry_run: "true" });
    const created = await run({ deployment_type });

    expect(planned.log).toContain(`"deployment_type": "${sent}"`);
    expect(writes(created.requests)).toMatchObject([{ body: typed(sent) }]);
  },
);

test.each([
  ["serverless", "dev_zero"],
  ["dev_zero", "serverless"],
  ["dedicated", "prod"],
  ["prod", "dedicated"],
])("%s and %s are the same type for an update", async (created, deployment_type) => {
  const { deploy: run, existing } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  await existing("agent", { source_config: { ...defaultCreate.source_config, deployment_type: created } });

  const updated = await run({ deployment_type });

  expect(updated.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  expect(updated.warnings).toEqual([]);
});

test.each(["standard", "langsmith"] as const)(
  "a deployment for production that is created without deployment_type gets a warning before (%s)",
  async (platform) => {
    const { deploy: run } = await startScenario({ platform, statusSeconds: 0 });
    const production = { environment: "prod-eu", github_token: "token-123" };

    const planned = await run({ ...production, dry_run: "true" });
    const given = await run({ ...production, dry_run: "true", deployment_type: "prod" });
    const staging = await run({ ...production, dry_run: "true", production_environment: "false" });

    expect(planned.warnings).toContainEqual(expect.stringContaining("the default deployment_type dev"));
    expect([...given.warnings, ...staging.warnings].join()).not.toContain("deployment_type");
  },
);
