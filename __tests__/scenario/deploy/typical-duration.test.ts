import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { requestLines, type Scenario, type ScenarioRun, startScenario } from "../../support/scenario.ts";

/** A deployment whose first revision took `6 × statusSeconds`, on a platform that shows that. */
async function startWithOne(options: EmulatorOptions): Promise<Scenario> {
  const scenario = await startScenario({ platform: "langsmith", ...options });
  await scenario.existing();
  await scenario.pass(600);
  return scenario;
}

/** The statuses of later revisions: BUILDING for this time, and then DEPLOYED. */
function buildFor({ emulator }: Scenario, seconds: number): void {
  emulator.addFault({
    kind: "statuses",
    sequence: [{ status: "BUILDING", seconds }, { status: "DEPLOYED" }],
  });
}

const heartbeats = ({ infos }: ScenarioRun) => infos.filter((line) => line.includes("] still"));

test("the log shows the typical duration once", async () => {
  const scenario = await startWithOne({ statusSeconds: 20 });
  buildFor(scenario, 130);

  const run = await scenario.deploy({ poll_interval_seconds: "30" });

  expect(run.infos).toContainEqual(
    expect.stringMatching(new RegExp(`${run.outputs.revision_id}.* 2 min\\.$`)),
  );
  expect(heartbeats(run)).toEqual(["[1 min] still BUILDING, for 1 min", "[2 min] still BUILDING, for 2 min"]);
});

test("the typical duration is known without a request of its own", async () => {
  const scenario = await startWithOne({ statusSeconds: 10 });

  const run = await scenario.deploy({ serving_check: "off" });

  const { deployment_id: id, revision_id: revisionId } = run.outputs;
  expect(run.log).toContain("It should take about 1 min.");
  expect([...new Set(requestLines(run.requests))]).toEqual([
    "GET /v2/deployments 200",
    `GET /v2/deployments/${id} 200`,
    `GET /v2/deployments/${id}/revisions 200`,
    `POST /v2/deployments/${id}/revisions 201`,
    `GET /v2/deployments/${id}/revisions/${revisionId} 200`,
  ]);
});

describe("no typical duration is shown", () => {
  function expectNone(run: ScenarioRun): void {
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.log).not.toMatch(/typical|should take/);
  }

  test("for a deployment that is created", async () => {
    const { deploy } = await startScenario({ platform: "langsmith" });

    expectNone(await deploy());
  });

  test("for a revision that an earlier attempt of the run started", async () => {
    const { open, pass, preview } = await startScenario({
      platform: "langsmith",
      statusSeconds: 3,
    });
    const again = { env: { GITHUB_RUN_ID: "77" } };
    open();
    await preview("opened");
    await pass(600);

    const late = await preview("synchronize", { ...again, inputs: { timeout_seconds: "8" } });
    const resumed = await preview("synchronize", again);

    expect(late.outputs.outcome).toBe("timed_out");
    expect(late.log).toContain("It should take about 18 s.");
    expect(resumed.outputs.revision_id).toBe(late.outputs.revision_id);
    expectNone(resumed);
  });
});
