import { describe, expect, test } from "@jest/globals";
import { type DeployRun, spelled, startScenario } from "../../support/scenario.ts";

const revision = { method: "GET", path: "/revisions/" };

/** Statuses as the log told them. */
function toldStatuses({ infos }: DeployRun): string[] {
  return infos
    .filter((line) => /^\[[^\]]+\] [A-Z_]+$/.test(line))
    .map((line) => line.replace(/^\[.*\] /, ""));
}

function looksAtRevision({ requests }: DeployRun): number {
  return requests.filter(({ path }) => path.includes("/revisions/")).length;
}

test("each change of status is told once, with the time since the start", async () => {
  const { deploy } = await startScenario({ statusSeconds: 100 });
  const run = await deploy();
  expect(toldStatuses(run)).toEqual([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYED",
  ]);
  expect(run.log).toMatch(/\[0 s\] CREATING[\s\S]*\[1 min 4\d s\] QUEUED[\s\S]*\[10 min \d s\] DEPLOYED/);
});

test("a sign of life is told at least every minute", async () => {
  const { deploy } = await startScenario({ statusSeconds: 150 });
  const run = await deploy({ timeout_seconds: "400" });
  const times = run.infos
    .map((line) => /^\[(?:(\d+) min ?)?(?:(\d+) s)?\]/.exec(line))
    .filter((match) => match !== null)
    .map(([, minutes, seconds]) => Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
  expect(times.at(-1)).toBeGreaterThanOrEqual(360);
  for (const [index, time] of times.entries()) expect(time - (times[index - 1] ?? 0)).toBeLessThanOrEqual(60);
  expect(run.log).toContain("[2 min] still CREATING, for 2 min");
});

test("a sign of life is told also while the name becomes free", async () => {
  const { deploy, leaving } = await startScenario({ statusSeconds: 0 });
  await leaving(150);
  const run = await deploy();
  expect(run.infos.filter((line) => /^\[[12] min\]/.test(line))).toHaveLength(2);
});

test("nothing is told after the end", async () => {
  const { pass, start } = await startScenario();
  const { context, ended } = start();
  await ended;
  const lines = [...context.recorded.lines];
  await pass(600);
  expect(context.recorded.lines).toEqual(lines);
});

test("a status that nobody knows counts as pending, and is told as new once", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "statuses",
    sequence: [
      { status: "POLISHING", seconds: 30 },
      { status: "QUEUED", seconds: 10 },
      { status: "POLISHING", seconds: 30 },
      { status: "DEPLOYED" },
    ],
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.filter((line) => line.includes("POLISHING is new to this action"))).toHaveLength(1);
  expect(toldStatuses(run)).toEqual(["POLISHING", "QUEUED", "POLISHING", "DEPLOYED"]);
});

test("a pause is a second at first, grows with the time in a status, and never exceeds the input", async () => {
  const looks: number[] = [];
  const { clock, deploy } = await startScenario({
    failRefs: { main: "QUEUED" },
    statusSeconds: 30,
    onRequest: ({ path }) => {
      if (path.includes("/revisions/")) looks.push(clock.elapsed() / 1000);
    },
  });
  const run = await deploy({ poll_interval_seconds: "3", timeout_seconds: "60" });
  expect(run.outputs.outcome).toBe("timed_out");
  const expected: number[] = [];
  for (let now = 0, statusSeenAt = 0; now < 60; now += Math.min(3, 1 + (now - statusSeenAt) / 4)) {
    expected.push(now);
    if (statusSeenAt === 0 && now >= 30) statusSeenAt = now;
  }
  expect(looks).toHaveLength(expected.length + 1);
  for (const [index, time] of [...expected, 60].entries()) expect(looks[index]).toBeCloseTo(time, 1);
});

describe("failed reads are borne", () => {
  test.each([
    ["500", { kind: "answer", status: 500, body: { detail: "boom" } }],
    ["a 404 that isn't the API's", { kind: "answer", status: 404, body: "<html>" }],
    ["a 409", { kind: "answer", status: 409, body: { detail: "no" } }],
    ["no JSON", { kind: "answer", status: 200, body: "<html>" }],
    ["a reset", { kind: "reset" }],
    ["a cut answer", { kind: "cut" }],
  ] as const)("%s", async (_what, fault) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ ...fault, match: { ...revision, from: 3, times: 20 } });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", status: "DEPLOYED" });
    expect(spelled(run.requests).filter((line) => line.includes("/revisions/"))).toHaveLength(23);
    expect(run.infos.filter((line) => line.includes("Looking again"))).toHaveLength(1);
    expect(run.errors).toEqual([]);
  });

  test("one that hangs", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "hang", match: { ...revision, from: 3 } });
    const run = await deploy({ request_timeout_seconds: "0.1" });
    expect(run.outputs.outcome).toBe("deployed");
  });

  test("all of them up to the deadline, which is then told", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { ...revision, from: 3, times: "always" },
      status: 500,
      body: { detail: "boom" },
    });
    const run = await deploy({ timeout_seconds: "100" });
    expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "CREATING", duration_seconds: "100" });
  });
});

describe("the watch ends at once on", () => {
  test.each([
    [401, "api_key"],
    [403, "workspace_id"],
  ])("%i", async (status, hint) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { ...revision, from: 3, times: "always" },
      status,
      body: { detail: "The key was revoked" },
    });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "CREATING" });
    expect(run.outputs.revision_id).toBeDefined();
    expect(looksAtRevision(run)).toBe(3);
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("The key was revoked");
    expect(run.errors[0]).toContain(`Revision ${run.outputs.revision_id} of deployment `);
    expect(run.errors[0]).toContain(" goes on on the platform.");
    expect(run.errors[0]).toContain(hint);
  });

  test("a 401 when the deployment is read at the end", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", times: "always" },
      status: 401,
      body: { detail: "The key was revoked" },
    });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.errors[0]).not.toContain("goes on");
  });
});

test("a 404 within a minute of the write is not yet", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({ kind: "lag", where: ["revision"], milliseconds: 55_000 });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed" });
  expect(run.infos).toContain("The revision isn't shown yet.");
});

test("a 404 later than that is a failure", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({ kind: "lag", where: ["revision"], milliseconds: 600_000 });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.took).toBeGreaterThanOrEqual(60);
  expect(run.took).toBeLessThan(65);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("was answered with 404");
});

test("a revision that is deleted while it is watched is a failure", async () => {
  const { clock, deploy, elsewhere, held } = await startScenario({ statusSeconds: 60 });
  clock.at(90_000, () => elsewhere(`DELETE /v2/deployments/${held().id}`));
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.took).toBeLessThan(100);
});

test("Retry-After stretches the pause", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({ kind: "answer", match: revision, status: 429, headers: { "retry-after": "45" } });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.took).toBe(45);
  expect(looksAtRevision(run)).toBe(2);
});

test("a look is one request, whatever it brings", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({ kind: "answer", match: revision, status: 503 });
  const run = await deploy();
  expect(spelled(run.requests).filter((line) => line.includes("/revisions/"))).toEqual([
    expect.stringMatching(/503$/),
    expect.stringMatching(/200$/),
  ]);
  expect(run.took).toBe(1);
});
