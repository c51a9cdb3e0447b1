import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/server.ts";
import { startPreviewScenario } from "../../support/preview-scenario.ts";
import {
  type DeployRun,
  type Inputs,
  type Scenario,
  spelled,
  startScenario,
} from "../../support/scenario.ts";

const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };

/** A deployment whose first revision took `6 × statusSeconds`, on a platform that shows that. */
async function startWithOne(options: EmulatorOptions & { statusSeconds: number }): Promise<Scenario> {
  const scenario = await startScenario({ platform: "langsmith", ...options });
  const first = await scenario.deploy(langsmith);
  expect(first.outputs.outcome).toBe("deployed");
  await scenario.pass(600);
  return scenario;
}

/** Revisions made from now on are BUILDING for so many seconds, and then deployed. */
function buildFor({ emulator }: Scenario, seconds: number): void {
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "BUILDING", seconds }, { status: "DEPLOYED" }],
  });
}

const signs = ({ infos }: DeployRun) => infos.filter((line) => /[█░]|still/.test(line));

test("an update tells how long it will usually take, with a bar, and how long it took beside that", async () => {
  const scenario = await startWithOne({ statusSeconds: 40 });
  const run = await scenario.deploy(langsmith);
  expect(run.infos).toContain(`This run's revision is ${run.outputs.revision_id}. It usually takes 4 min.`);
  expect(signs(run)).toEqual([
    "[1 min] ██░░░░░░░░ QUEUED, usually done after 4 min: about 3 min to go",
    "[2 min] █████░░░░░ AWAITING_BUILD, usually done after 4 min: about 2 min to go",
    "[3 min] ███████░░░ AWAITING_DEPLOY, usually done after 4 min: about 1 min to go",
    "[4 min] ██████████ DEPLOYING, longer than usual (4 min)",
  ]);
  expect(run.summary).toMatch(/\| Took \| 4 min( 1 s)? \(usually 4 min\) \|/);
});

test("one that takes longer says so", async () => {
  const scenario = await startWithOne({ statusSeconds: 10 });
  buildFor(scenario, 150);
  const run = await scenario.deploy(langsmith);
  expect(signs(run)).toEqual([
    "[1 min] ██████████ BUILDING, longer than usual (1 min)",
    "[2 min] ██████████ BUILDING, longer than usual (1 min)",
  ]);
  expect(run.summary).toMatch(/\| Took \| 2 min 3\d s \(usually 1 min\) \|/);
});

test("it is known from what was read anyway", async () => {
  const scenario = await startWithOne({ statusSeconds: 10 });
  const run = await scenario.deploy(langsmith);
  expect(run.log).toContain("It usually takes 1 min.");
  const id = run.outputs.deployment_id;
  expect([...new Set(spelled(run.requests))]).toEqual([
    "GET /v2/deployments 200",
    `GET /v2/deployments/${id} 200`,
    `GET /v2/deployments/${id}/revisions 200`,
    `PATCH /v2/deployments/${id} 200`,
    `GET /v2/deployments/${id}/revisions/${run.outputs.revision_id} 200`,
  ]);
});

test("what failed tells nothing of how long it takes", async () => {
  const scenario = await startWithOne({ statusSeconds: 10, failRefs: { broken: "BUILD_FAILED" } });
  const failed = await scenario.deploy({ ...langsmith, repo_ref: "broken" });
  expect(failed.outputs.outcome).toBe("failed");
  expect(failed.summary).toMatch(/\| Took \| 4\d s \(usually 1 min\) \|/);
  const run = await scenario.deploy(langsmith);
  expect(run.infos.join("\n")).toContain("It usually takes 1 min.");
});

describe("nothing is said of a usual time", () => {
  const expectUnknown = (run: DeployRun) => {
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.log + run.summary).not.toMatch(/usual|[█░]/);
  };

  test("of what is created", async () => {
    const { deploy } = await startScenario({ platform: "langsmith", statusSeconds: 30 });
    expectUnknown(await deploy(langsmith));
  });

  test("where the platform doesn't show when a revision was changed", async () => {
    const scenario = await startWithOne({ statusSeconds: 30 });
    scenario.emulator.misbehave({ kind: "hide", fields: ["updated_at"] });
    expectUnknown(await scenario.deploy(langsmith));
  });

  test("on a platform of which that isn't known to be shown", async () => {
    const { deploy, existing, pass } = await startScenario({ statusSeconds: 30 });
    await existing();
    await pass(600);
    expectUnknown(await deploy());
  });

  test("of a revision that an earlier attempt started", async () => {
    const { open, pass, preview } = await startPreviewScenario({
      emulator: { platform: "langsmith", statusSeconds: 10 },
      github: { files: { "langgraph.json": "{}" } },
    });
    open();
    await preview("opened", { inputs: langsmith });
    await pass(600);
    const again = { env: { GITHUB_RUN_ID: "77" } };
    const late = await preview("synchronize", { ...again, inputs: { ...langsmith, timeout_seconds: "20" } });
    expect(late.outputs.outcome).toBe("timed_out");
    expect(late.log).toContain("It usually takes 1 min.");
    const resumed = await preview("synchronize", { ...again, inputs: langsmith });
    expect(resumed.log).toContain("watching that one");
    expectUnknown(resumed);
  });
});

describe("looks at the revision", () => {
  /** Pauses between the looks of a run that builds so long and is expected to end after 200 s. */
  async function pausesOf(seconds: number, inputs: Inputs = {}) {
    const looks: number[] = [];
    let now = () => 0;
    const scenario = await startWithOne({
      statusSeconds: 200 / 6,
      onRequest: ({ path }) => {
        if (path.includes("/revisions/")) looks.push(now());
      },
    });
    now = () => scenario.clock.elapsed() / 1000;
    buildFor(scenario, seconds);
    looks.length = 0;
    const startedAt = now();
    const run = await scenario.deploy({ ...langsmith, ...inputs });
    const times = looks.map((time) => time - startedAt);
    const pauses = times
      .slice(1)
      .map((time, index) => ({ at: times[index] ?? 0, seconds: time - (times[index] ?? 0) }));
    return { run, pauses };
  }

  test("are closer together around the expected end, and no rarer than asked for elsewhere", async () => {
    const { run, pauses } = await pausesOf(400);
    expect(run.outputs.outcome).toBe("deployed");
    const between = (from: number, to: number) =>
      pauses.filter(({ at }) => at >= from && at < to).map(({ seconds }) => seconds);
    expect(Math.max(...between(195, 205))).toBeLessThan(1.4);
    expect(Math.max(...between(180, 220))).toBeLessThan(2.3);
    expect(Math.min(...between(10, 149))).toBeCloseTo(4, 2);
    expect(Math.min(...between(251, 395))).toBeCloseTo(4, 2);
    expect(Math.max(...pauses.map(({ seconds }) => seconds))).toBeLessThan(4.001);
  });

  test("see an end as expected after little more than a second", async () => {
    const { run } = await pausesOf(201);
    expect(run.took).toBeLessThan(203);
  });

  test("are never rarer than poll_interval_seconds says", async () => {
    const { pauses } = await pausesOf(60, { poll_interval_seconds: "0.5" });
    for (const { seconds } of pauses.slice(1)) expect(seconds).toBeCloseTo(0.5, 2);
  });

  test("are as rare as the platform asks for", async () => {
    const scenario = await startWithOne({ statusSeconds: 2 });
    scenario.emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "/revisions/", from: 2 },
      status: 429,
      headers: { "retry-after": "45" },
    });
    const run = await scenario.deploy(langsmith);
    expect(run.took).toBe(45);
  });
});
