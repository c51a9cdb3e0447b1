import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { startPreviewScenario } from "../../support/preview-scenario.ts";
import {
  type DeployRun,
  type Inputs,
  langsmith,
  requestLines,
  type Scenario,
  startScenario,
} from "../../support/scenario.ts";

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

const heartbeats = ({ infos }: DeployRun) => infos.filter((line) => /[█░]/.test(line));

test("heartbeats show the progress towards the typical duration, and then that it takes longer", async () => {
  const scenario = await startWithOne({ statusSeconds: 20 });
  buildFor(scenario, 130);

  const run = await scenario.deploy({ poll_interval_seconds: "30" });

  expect(run.infos).toContainEqual(
    expect.stringMatching(new RegExp(`${run.outputs.revision_id}.* 2 min\\.$`)),
  );
  expect(heartbeats(run)).toEqual([
    expect.stringMatching(/^\[1 min\] █{5}░{5} BUILDING.* 2 min.* 1 min /),
    expect.stringMatching(/^\[2 min\] █{10} BUILDING.*2 min/),
  ]);
  expect(run.summary).toMatch(/\| Took \| 2 min \d+ s \(usually 2 min\) \|/);
});

test("the typical duration is known without a request of its own", async () => {
  const scenario = await startWithOne({ statusSeconds: 10 });

  const run = await scenario.deploy({ serving_check: "off" });

  const { deployment_id: id, revision_id: revisionId } = run.outputs;
  expect(run.summary).toContain("(usually 1 min)");
  expect([...new Set(requestLines(run.requests))]).toEqual([
    "GET /v2/deployments 200",
    `GET /v2/deployments/${id} 200`,
    `GET /v2/deployments/${id}/revisions 200`,
    `PATCH /v2/deployments/${id} 200`,
    `GET /v2/deployments/${id}/revisions/${revisionId} 200`,
  ]);
});

describe("no typical duration is shown", () => {
  function expectNone(run: DeployRun): void {
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.log + run.summary).not.toMatch(/usual|[█░]/);
  }

  test("for a deployment that is created", async () => {
    const { deploy } = await startScenario({ platform: "langsmith" });

    expectNone(await deploy());
  });

  test("on a platform that is not known to show that", async () => {
    const { deploy, existing } = await startScenario();
    await existing();

    expectNone(await deploy());
  });

  test("for a revision that an earlier attempt of the run started", async () => {
    const { open, pass, preview } = await startPreviewScenario({
      emulator: { platform: "langsmith", statusSeconds: 3 },
      github: { files: { "langgraph.json": "{}" } },
    });
    const again = { env: { GITHUB_RUN_ID: "77" } };
    open();
    await preview("opened", { inputs: langsmith });
    await pass(600);

    const late = await preview("synchronize", { ...again, inputs: { ...langsmith, timeout_seconds: "8" } });
    const resumed = await preview("synchronize", { ...again, inputs: langsmith });

    expect(late.outputs.outcome).toBe("timed_out");
    expect(late.summary).toContain("(usually 18 s)");
    expect(resumed.outputs.revision_id).toBe(late.outputs.revision_id);
    expectNone(resumed);
  });
});

describe("polls", () => {
  /** The delays after each poll of a run that builds for this time, if a revision usually takes 60 s. */
  async function delaysOf(buildSeconds: number, inputs: Inputs = {}) {
    const polledAt: number[] = [];
    let now = () => 0;
    const scenario = await startWithOne({
      statusSeconds: 10,
      onRequest: ({ path }) => {
        if (path.includes("/revisions/")) polledAt.push(now());
      },
    });
    const startedAt = scenario.clock.elapsed();
    now = () => (scenario.clock.elapsed() - startedAt) / 1000;
    buildFor(scenario, buildSeconds);
    const run = await scenario.deploy(inputs);
    const delays = polledAt.slice(1).map((time, index) => {
      const at = polledAt[index] ?? 0;
      return { at, seconds: time - at };
    });
    return { run, delays };
  }

  test("are closer together around the expected end, and never rarer than poll_interval_seconds", async () => {
    const { run, delays } = await delaysOf(100);

    expect(run.outputs.outcome).toBe("deployed");
    const between = (from: number, to: number) =>
      delays.filter(({ at }) => at >= from && at < to).map(({ seconds }) => seconds);
    expect(Math.max(...between(58, 62))).toBeLessThan(1.5);
    expect(Math.max(...between(52, 68))).toBeLessThan(3);
    expect(Math.min(...between(10, 44))).toBeCloseTo(4, 2);
    expect(Math.min(...between(76, 95))).toBeCloseTo(4, 2);
    expect(Math.max(...delays.map(({ seconds }) => seconds))).toBeLessThan(4.001);
  });
});
