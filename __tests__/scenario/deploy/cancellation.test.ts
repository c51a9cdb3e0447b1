import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { type ScenarioRun, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$" };
const revision = { method: "GET", path: "/revisions/" };

/** `work`: what the run left behind. */
function expectCancelled(run: ScenarioRun, ...work: string[]): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("cancelled");
  expect(run.errors).toHaveLength(1);
  for (const fact of ["SIGINT", ...work]) {
    expect(run.errors[0]).toContain(fact);
    expect(run.summary.replaceAll("`", "")).toContain(withShortRevision(fact));
  }
}

/** A summary shows the id of a revision in full in its table only. */
function withShortRevision(fact: string): string {
  return fact.replace(/(Revision [\da-f]{8})[\da-f-]+/, "$1");
}

const noChanges = "No changes were sent.";
const unknownDeployment = "A revision from the creation of agent may still be running on the platform.";

test("a run that is cancelled before its first request changes nothing", async () => {
  const { startDeploy } = await startScenario();

  const running = startDeploy();
  running.cancel();
  const run = await running.ended;

  expectCancelled(run, noChanges);
  expect(writes(run.requests)).toEqual([]);
});

test("a run that is cancelled while GitHub is asked before the write has sent nothing", async () => {
  const { github, start, until } = await startScenario();
  github.fail({ kind: "trickle", match: { method: "GET", path: "/contents/" }, milliseconds: 0 });

  const running = start("deploy", { inputs: { name: "agent" } });
  await until(() => github.requests.some(({ path }) => path.includes("/contents/")));
  running.cancel();
  const run = await running.ended;

  expectCancelled(run, noChanges);
  expect(writes(run.requests)).toEqual([]);
});

describe("a cancellation ends a request that hangs:", () => {
  test.each([
    ["the search for the name", list, noChanges],
    ["the create", { method: "POST" }, unknownDeployment],
  ])("a cancellation ends %s that hangs", async (_what, match, leftover) => {
    const { emulator, requested, startDeploy } = await startScenario();
    emulator.addFault({ kind: "hang", match: { ...match, times: "always" } });

    const running = startDeploy();
    await requested(match.method);
    running.cancel();
    const run = await running.ended;

    expectCancelled(run, leftover);
    expect(run.requests.filter(({ method }) => method === match.method)).toHaveLength(1);
  });

  test("the update", async () => {
    const { emulator, existing, requested, startDeploy } = await startScenario();
    const { id } = await existing();
    emulator.addFault({ kind: "hang", match: { method: "PATCH" }, applied: true });

    const running = startDeploy();
    await requested("PATCH");
    running.cancel();
    const run = await running.ended;

    expectCancelled(run, `A revision from the update of ${id} may still be running`);
    expect(run.outputs).toMatchObject({ deployment_id: id, created: "false" });
  });

  test("the first read of the revision, whose id the update has named", async () => {
    const { emulator, existing, requested, startDeploy, stored } = await startScenario();
    const { id } = await existing();
    emulator.addFault({ kind: "hang", match: revision });

    const running = startDeploy();
    await requested("GET", /\/revisions\//);
    const early = { ...running.context.recorded.outputs };
    running.cancel();
    const run = await running.ended;

    const newest = stored().latest_revision_id;
    expect(early).toMatchObject({ deployment_id: id, created: "false", revision_id: newest });
    expectCancelled(run, `Revision ${newest} of deployment ${id} may still be running`);
  });

  test("the read after the checks", async () => {
    const { emulator, until, startDeploy } = await startScenario({ statusSeconds: 0 });
    emulator.addFault({ kind: "hang", match: { ...revision, from: 2 } });
    const reads = () => emulator.requests.filter(({ path }) => path.includes("/revisions/"));

    const running = startDeploy({ serving_check: "off" });
    await until(() => reads().length === 2);
    running.cancel();
    const run = await running.ended;

    expectCancelled(run, "is DEPLOYED. Its checks were not finished.");
  });

  test("the last read of the deployment", async () => {
    const { emulator, requested, startDeploy } = await startScenario({ statusSeconds: 0 });
    const path = "^/v2/deployments/[^/]+$";
    emulator.addFault({ kind: "hang", match: { method: "GET", path } });

    const running = startDeploy();
    await requested("GET", new RegExp(path));
    running.cancel();
    const run = await running.ended;

    expectCancelled(run, "is DEPLOYED");
    expect(run.outputs.status).toBe("DEPLOYED");
  });
});

describe("a cancellation ends a delay at once:", () => {
  const later = { "retry-after": "600" };
  test.each<[string, FaultRule, string]>([
    ["between two attempts of a read", answer(list, 503, { headers: later }), noChanges],
    ["between two attempts of a write", answer("POST", 429, { headers: later }), unknownDeployment],
  ])("a cancellation ends a delay %s", async (_what, fault, leftover) => {
    const { clock, emulator, startDeploy } = await startScenario();
    emulator.addFault(fault);

    const running = startDeploy();
    clock.at(5_000, running.cancel);
    const run = await running.ended;

    expectCancelled(run, leftover);
    expect(run.took).toBe(5);
  });

  test("while the name is taken by a deletion", async () => {
    const { clock, deleting, startDeploy } = await startScenario();
    await deleting(600);

    const running = startDeploy();
    clock.at(clock.elapsed() + 5_000, running.cancel);
    const run = await running.ended;

    expectCancelled(run, noChanges);
    expect(run.took).toBe(5);
  });

  test("while the new revision is not listed", async () => {
    const { clock, emulator, existing, startDeploy } = await startScenario();
    const { id } = await existing();
    emulator.addFault({ kind: "hide", match: { method: "PATCH" }, fields: ["latest_revision_id"] });
    emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 60_000 });

    const running = startDeploy();
    clock.at(clock.elapsed() + 5_000, running.cancel);
    const run = await running.ended;

    expectCancelled(run, `A revision from the update of ${id} may still be running`);
    expect(run.took).toBe(5);
  });

  test("between two polls of the revision", async () => {
    const { clock, startDeploy, stored } = await startScenario({ statusSeconds: 5 });

    const running = startDeploy();
    clock.at(12_000, running.cancel);
    const run = await running.ended;

    const { id, latest_revision_id } = stored();
    expectCancelled(run, `Revision ${latest_revision_id} of deployment ${id} is still running`);
    expect(run.took).toBe(12);
    expect(run.outputs).toMatchObject({ status: "QUEUED", duration_seconds: "12", created: "true" });
  });
});
