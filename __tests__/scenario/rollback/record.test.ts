import { expect, test } from "@jest/globals";
import { type Inputs, type Scenario, type ScenarioRun, startScenario } from "../../support/scenario.ts";
import { newestStates, pushBranch } from "../record/support.ts";

const inputs: Inputs = {
  name: "agent",
  environment: "production",
  platform: "langsmith",
  timeout_seconds: "60",
};
const sameRun = { GITHUB_RUN_ID: "77" };

interface Deployed extends Scenario {
  /** The runs that made the revisions, in order. */
  readonly runs: readonly ScenarioRun[];
  rollBack(more?: Inputs, env?: Inputs): Promise<ScenarioRun>;
}

/** A deployment with three revisions, the last of which is live and made by the run that will roll back. */
async function startDeployed(): Promise<Deployed> {
  const scenario = await startScenario({ statusSeconds: 5, platform: "langsmith" });
  const deployInputs = { ...inputs, integration_id: "", app_config_path: "app/config.json" };
  const deploy = async (ref: string) => {
    pushBranch(scenario, ref);
    return await scenario.run("deploy", { inputs: { ...deployInputs, repo_ref: ref }, env: sameRun });
  };
  const runs = [await deploy("one"), await deploy("two"), await deploy("three")];
  return {
    ...scenario,
    runs,
    rollBack: (more, env = sameRun) => scenario.run("rollback", { inputs: { ...inputs, ...more }, env }),
  };
}

test("a rollback is recorded like a deploy, and the record of the deploy becomes inactive", async () => {
  const scenario = await startDeployed();
  const { github, rollBack, runs } = scenario;
  const [, two] = runs;

  const { outputs } = await rollBack();

  const [record] = github.deployments();
  expect(record).toMatchObject({
    ref: github.env.GITHUB_SHA,
    task: "deploy:agent",
    environment: "production",
    transient: false,
    production: true,
    payload: {
      deployment_id: outputs.deployment_id,
      revision_id: outputs.revision_id,
      name: "agent",
      run_id: "77",
    },
  });
  expect(newestStates(scenario)).toEqual(["success", "inactive", "inactive", "inactive"]);
  expect(
    github.requests.findLast(({ path }) => path.endsWith(`/${record?.id}/statuses`))?.body,
  ).toMatchObject({
    description: `deployed (DEPLOYED), rolled back to ${two?.outputs.revision_id}`,
  });
});

test("a rollback that fails leaves the record of the deploy as it is", async () => {
  const scenario = await startDeployed();
  const sequence = [{ status: "DEPLOY_FAILED" }];
  scenario.emulator.addFault({ kind: "statuses", redeployed: true, sequence });

  await scenario.rollBack();

  expect(newestStates(scenario).slice(0, 2)).toEqual(["failure", "success"]);
});
