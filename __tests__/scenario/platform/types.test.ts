import { expect, test } from "@jest/globals";
import { deploy } from "../../../src/deploy/deploy.ts";
import { findDeployment } from "../../../src/deploy/find-deployment.ts";
import { platformJob } from "../../../src/deploy/job.ts";
import { makePlan } from "../../../src/deploy/plan/plan.ts";
import { readTarget } from "../../../src/inputs/control-plane.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { langsmith } from "../../../src/platform/langsmith.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { inputVariables } from "../../support/runner/step-environment.ts";
import { type Inputs, pushToMain, type Scenario, startScenario, writes } from "../../support/scenario.ts";

/** Deploys to the emulator as to a region of the vendor's cloud, and returns what was sent to create it. */
async function deployToCloud(scenario: Scenario, inputs: Inputs = {}) {
  const { emulator, clock } = scenario;
  const given = { platform: "langsmith", control_plane_url: emulator.url, name: "agent", ...inputs };
  const env = { api_key: emulator.apiKey, workspace_id: emulator.workspaceId, ...given };
  const own = recordingContext({ ...pushToMain, ...inputVariables(env) }, clock);
  const reader = new InputReader(own.env);
  const { controlPlane, desired, options } = readDeployInputs(reader);
  const cloud = new URL("https://api.host.langchain.com");
  const platform = { ...langsmith, defaultType: () => langsmith.defaultType(cloud) };
  const settings = { ...controlPlane, platform };
  const { plan } = makePlan(readTarget(reader), desired, own.workflow, settings);
  const platformOnly = platformJob(own, settings, options.timeoutMs);
  const job = {
    ...platformOnly,
    options,
    plan,
    find: () => findDeployment(platformOnly, plan.target),
    upload: undefined,
    github: undefined,
    isProduction: false,
    isPreview: false,
  };
  const result = await deploy(job);
  const creates = writes(emulator.requests).filter(({ path }) => path === "/v2/deployments");
  return { result, bodies: creates.map(({ body }) => body) };
}

const typed = (deployment_type: string) => ({ source_config: { deployment_type } });

test("on the vendor's cloud a deployment is created as serverless by default", async () => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });

  const { result, bodies } = await deployToCloud(scenario);

  expect(result.outcome).toBe("deployed");
  expect(bodies).toMatchObject([typed("serverless")]);
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
