import { expect, test } from "@jest/globals";
import { deploy } from "../../../src/deploy/deploy.ts";
import { platformJob } from "../../../src/deploy/job.ts";
import { makePlan } from "../../../src/deploy/plan/plan.ts";
import { readTarget } from "../../../src/inputs/control-plane.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { platforms } from "../../../src/platform/platforms.ts";
import { answer } from "../../support/faults.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { inputVariables } from "../../support/runner/step-environment.ts";
import { type Inputs, pushToMain, type Scenario, startScenario, writes } from "../../support/scenario.ts";

/** Deploys to the emulator as to a region of the vendor's cloud, and returns the types that were sent and the warnings. */
async function deployToCloud(scenario: Scenario, inputs: Inputs = {}) {
  const { emulator, clock } = scenario;
  const given = { platform: "langsmith", control_plane_url: emulator.url, name: "agent", ...inputs };
  const env = { api_key: emulator.apiKey, workspace_id: emulator.workspaceId, ...given };
  const own = recordingContext({ ...pushToMain, ...inputVariables(env) }, clock);
  const reader = new InputReader(own.env);
  const { controlPlane, desired, options } = readDeployInputs(reader);
  const url = emulator.url;
  const [known] = Object.values(platforms.langsmith?.regions ?? {});
  if (known === undefined) throw new Error("platform langsmith has no regions");
  const platform = { ...controlPlane.platform, regions: { us: { ...known, controlPlane: url } } };
  const settings = { ...controlPlane, platform };
  const planned = makePlan(readTarget(reader), desired, own.workflow, settings);
  const job = {
    ...platformJob(own, settings, options.timeoutMs),
    settings,
    options,
    plan: planned.plan,
    upload: undefined,
    github: undefined,
    records: undefined,
    isProduction: false,
  };
  const result = await deploy(job);
  const creates = writes(emulator.requests).filter(({ path }) => path === "/v2/deployments");
  const warnings = own.recorded.lines.filter(({ kind }) => kind === "warning").map(({ text }) => text);
  return { result, bodies: creates.map(({ body }) => body), warnings };
}

const typed = (deployment_type: string) => ({ source_config: { deployment_type } });

test("on the vendor's cloud a deployment is created as serverless by default", async () => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });

  const { result, bodies } = await deployToCloud(scenario);

  expect(result.kind).toBe("deployed");
  expect(bodies).toMatchObject([typed("serverless")]);
});

test.each([
  [400, { detail: "deployment_type must be one of dev_free, dev, prod" }],
  [
    422,
    {
      detail: [
        { loc: ["body", "source_config", "deployment_type"], msg: "Input should be 'dev'", type: "enum" },
      ],
    },
  ],
])(
  "if the platform refuses that word with %i, it is created as dev, with a warning",
  async (status, body) => {
    const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });
    scenario.emulator.addFault(answer("POST", status, { body }));

    const { result, bodies, warnings } = await deployToCloud(scenario);

    expect(result.kind).toBe("deployed");
    expect(bodies).toMatchObject([typed("serverless"), typed("dev")]);
    expect(warnings).toContainEqual(expect.stringMatching(/refuses deployment_type serverless.*dev/));
  },
);

test.each<[string, Inputs, object]>([
  ["another refusal", {}, { detail: "The plan is exhausted" }],
  ["a type that was given", { deployment_type: "serverless" }, { detail: "deployment_type is wrong" }],
])("%s fails the create, and nothing else is tried", async (_what, inputs, body) => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  scenario.emulator.addFault(answer("POST", 400, { body }));

  await expect(deployToCloud(scenario, inputs)).rejects.toThrow("400");

  expect(scenario.emulator.deployments()).toEqual([]);
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
