import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { newestStates, pushBranch, recordStates } from "../record/support.ts";

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
  deployRef(ref: string): Promise<ScenarioRun>;
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
    deployRef: deploy,
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
      request_digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      rolled_back_to: two?.outputs.revision_id,
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

test("an empty token is a warning that names the environment", async () => {
  const { rollBack } = await startDeployed();

  const run = await rollBack({ github_token: "" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([expect.stringMatching(/^github_token is empty: .*"production"\. With act/)]);
});

test("a re-run watches the rollback of its earlier attempt, without another one", async () => {
  const scenario = await startDeployed();
  const { emulator, rollBack, runs } = scenario;
  const sequence = [{ status: "DEPLOYING", seconds: 90 }, { status: "DEPLOYED" }];
  emulator.addFault({ kind: "statuses", redeployed: true, sequence });

  const first = await rollBack();
  const again = await rollBack();

  expect(first.outputs.outcome).toBe("timed_out");
  expect(writes(again.requests)).toEqual([]);
  expect(again.outputs).toMatchObject({
    outcome: "deployed",
    revision_id: first.outputs.revision_id,
    rolled_back_to: runs[1]?.outputs.revision_id,
  });
  expect(recordStates(scenario)[0]).toEqual(["in_progress", "error", "in_progress", "success"]);
});

test("a re-run after a rollback that succeeded changes nothing", async () => {
  const scenario = await startDeployed();
  const { emulator, rollBack, runs } = scenario;

  const first = await rollBack();
  // What fails to be built does not replace it.
  emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILD_FAILED" }] });
  emulator.addConcurrentRevision(String(first.outputs.deployment_id));
  const again = await rollBack();

  expect(writes(again.requests)).toEqual([]);
  expect(again.outputs).toEqual({ ...first.outputs, rolled_back_to: runs[1]?.outputs.revision_id });
});

test("a re-run after a rollback is superseded if a revision that was pending becomes live while it compares", async () => {
  const { emulator, rollBack } = await startDeployed();
  const compared = { compare_with: "previous" };
  const first = await rollBack();
  const id = String(first.outputs.deployment_id);
  const path = `/v2/deployments/${id}`;
  emulator.addFault({ kind: "statuses", sequence: [{ status: "DEPLOYING", seconds: 600 }] });
  const theirs = emulator.addConcurrentRevision(id);
  const undisturbed = await rollBack(compared);
  const reads = undisturbed.requests.filter((request) => request.method === "GET" && request.path === path);
  // The last read, after the comparison, shows the newer revision.
  const last = { method: "GET", path: `^${path}$`, from: reads.length, times: "always" } as const;
  emulator.addFault(answer(last, 200, { body: { id, active_revision_id: theirs.id } }));

  const again = await rollBack(compared);

  expect(undisturbed.outputs.outcome).toBe("deployed");
  expect(writes(again.requests)).toEqual([]);
  expect(again.outputs).toMatchObject({ outcome: "superseded", revision_id: first.outputs.revision_id });
  expectError(again, "newer revision");
});

test.each<[string, Inputs, Inputs]>([
  ["another run", {}, { GITHUB_RUN_ID: "78" }],
  ["another revision_id", { revision_id: "one" }, sameRun],
])("%s rolls back again", async (_what, more, env) => {
  const { rollBack, runs } = await startDeployed();
  const first = await rollBack();
  const given = more.revision_id && { revision_id: String(runs[0]?.outputs.revision_id) };

  const again = await rollBack({ ...given }, env);

  expect(again.outputs.outcome).toBe("deployed");
  expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
});

test("a re-run that deployed again rolls back again", async () => {
  const { deployRef, rollBack } = await startDeployed();
  const first = await rollBack();

  const { outputs: deployed } = await deployRef("three");
  const again = await rollBack();

  expect(deployed.previous_revision_id).toBe(first.outputs.revision_id);
  expect(again.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: first.outputs.revision_id });
});
