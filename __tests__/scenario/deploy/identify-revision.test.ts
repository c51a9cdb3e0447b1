import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const patch = { method: "PATCH" };
const list = { method: "GET", path: "/revisions$" };
const unnamed: FaultRule = { kind: "hide", match: patch, fields: ["latest_revision_id"] };

function expectNone(run: ScenarioRun, ...facts: string[]): void {
  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(run.outputs).not.toHaveProperty("status");
  expectError(run, ...facts);
}

/** Expects that the run failed because these revisions, the newest first, may be its own. */
function expectCannotTell(run: ScenarioRun, { stored }: Scenario, ...places: number[]): void {
  const ids = places.map((place) => stored().revisions[place]?.id);
  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "Can't tell which revision is this run's", ...ids, "concurrency group");
}

describe("if the update names no revision, this run's is the one that appears in the list,", () => {
  test("after a while", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    await existing();
    emulator.addFault(unnamed);
    emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 20_000 });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
    expect(run.requests.filter(({ path }) => path.endsWith("/revisions")).length).toBeGreaterThan(5);
  });

  test.each([
    ["an empty response", {}],
    ["null", { body: "null", headers: { "content-type": "application/json" } }],
    ["another object", { body: { message: "accepted" } }],
  ])("after %s", async (_what, response) => {
    const { deploy, emulator, existing, stored } = await startScenario(immediate);
    await existing();
    emulator.addFault({ kind: "answer", match: patch, applied: true, status: 200, ...response });

    const run = await deploy();

    expect(run.warnings).toEqual([]);
    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      revision_id: stored().revisions[0]?.id,
      deployment_url: stored().url,
    });
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("unless it appears only seconds after that of another run", async () => {
    const scenario = await startScenario();
    const { deploy, emulator, existing, stored } = scenario;
    await existing();
    const [former] = stored().revisions;
    const resources = [{ id: "theirs", status: "QUEUED" }, former];
    emulator.addFault(answer(patch, 200, { body: {} }));
    emulator.addFault({
      kind: "answer",
      match: { ...list, from: 2, times: 4 },
      status: 200,
      body: { resources },
    });
    const later = { resources: [{ id: "own", status: "QUEUED" }, ...resources] };
    emulator.addFault({
      kind: "answer",
      match: { ...list, from: 6, times: "always" },
      status: 200,
      body: later,
    });

    const run = await deploy({ wait: "false" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "Can't tell which revision is this run's", "theirs", "own");
  });

  test("with wait: false too", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    await existing();
    emulator.addFault(unnamed);

    const run = await deploy({ wait: "false" });

    expect(run.outputs).toMatchObject({ outcome: "started", revision_id: stored().revisions[0]?.id });
  });

  test("with wait: false also if reads of the platform fail for a while", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    await existing();
    emulator.addFault(answer({ ...list, from: 2 }, 503));

    const run = await deploy({ wait: "false" });

    expect(run.outputs).toMatchObject({ outcome: "started", revision_id: stored().revisions[0]?.id });
  });

  test("if the one that the update names existed before", async () => {
    const { deploy, emulator, existing, stored } = await startScenario(immediate);
    const { id, revisionId } = await existing();
    const body = { id, latest_revision_id: revisionId.toUpperCase(), status: "READY" };
    emulator.addFault(answer(patch, 200, { body, applied: true }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  });
});

describe("if several new revisions are listed, a run can't tell which is its own,", () => {
  const failing = "- { name: greets, request: GET /missing }";

  test.each<["before" | "after", string, Inputs]>([
    ["before", "main", {}],
    ["after", "main", {}],
    // Not even if only one of them deploys what it sent.
    ["before", "theirs", {}],
    ["before", "main", { serving_check: "require", smoke_tests: failing, rollback_on_failure: "true" }],
    ["before", "main", { wait: "false" }],
  ])("one right %s its own, of %s (%j)", async (when, repo_ref, inputs) => {
    const scenario = await startScenario(immediate);
    await scenario.existing();
    scenario.emulator.addFault(unnamed);
    scenario.emulator.addFault({ kind: "concurrent_revision", when, repo_ref });

    const run = await scenario.deploy(inputs);

    expectCannotTell(run, scenario, 0, 1);
    expect(run.outputs).not.toHaveProperty("revision_id");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("although the platform shows their commits, and its own has failed", async () => {
    const scenario = await startScenario({ platform: "langsmith", commits: { main: "a".repeat(40) } });
    await scenario.existing();
    const noPost = { body: { detail: "Not Found" } };
    scenario.emulator.addFault(answer("POST /revisions$", 404, noPost));
    scenario.emulator.addFault(unnamed);
    scenario.emulator.addFault({ kind: "concurrent_revision", when: "before", repo_ref: "theirs" });
    scenario.emulator.addFault({
      kind: "statuses",
      repo_ref: "main",
      sequence: [{ status: "BUILD_FAILED" }],
    });

    const run = await scenario.deploy();

    expectCannotTell(run, scenario, 0, 1);
  });

  test.each<[string, Inputs]>([
    ["a run that waits", {}],
    ["a run that does not", { wait: "false" }],
  ])("and the list that %s reads at its end decides, whatever the update named", async (_what, inputs) => {
    const scenario = await startScenario(immediate);
    await scenario.existing();
    scenario.emulator.addFault({ kind: "concurrent_revision", when: "before", repo_ref: "theirs" });
    scenario.emulator.addFault({
      kind: "statuses",
      repo_ref: "theirs",
      sequence: [{ status: "BUILD_FAILED" }],
    });

    const run = await scenario.deploy(inputs);

    expect(run.outputs.revision_id).toBe(scenario.stored().revisions[0]?.id);
    expectCannotTell(run, scenario, 0, 1);
  });

  test("and neither makes checks nor rolls back", async () => {
    const scenario = await startScenario(immediate);
    await scenario.existing();
    scenario.emulator.addFault({ kind: "concurrent_revision", when: "before" });

    const run = await scenario.deploy({ smoke_tests: failing, rollback_on_failure: "true" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "Can't tell");
    expect(writes(run.requests).filter(({ path }) => path.startsWith("/v2/"))).toHaveLength(1);
  });

  test("also if the second one is listed only while the first is watched", async () => {
    const scenario = await startScenario({ statusSeconds: 5 });
    const { id } = await scenario.existing();
    const { clock, emulator } = scenario;
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "QUEUED" }] });
    clock.at(clock.elapsed() + 12_000, () => void emulator.addConcurrentRevision(id, "theirs"));

    const run = await scenario.deploy();

    expectCannotTell(run, scenario, 0, 1);
  });

  test.each<[string, Inputs]>([
    ["a run that waits", {}],
    ["a run that does not", { wait: "false" }],
  ])("but %s is superseded by one that is newer and live", async (_what, inputs) => {
    const { deploy, emulator, existing, stored } = await startScenario(immediate);
    await existing();
    emulator.addFault({ kind: "concurrent_revision", when: "after", repo_ref: "theirs" });

    const run = await deploy(inputs);

    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({
      outcome: "superseded",
      revision_id: stored().revisions[1]?.id,
      live_revision_id: stored().revisions[0]?.id,
    });
  });
});

describe("a list that does not show the named revision yet", () => {
  test.each<[string, Inputs]>([
    ["a run that waits", {}],
    ["a run that does not", { wait: "false" }],
  ])("does not confirm to %s that there is no second one", async (_what, inputs) => {
    const scenario = await startScenario({ statusSeconds: 1 });
    const { deploy, emulator, existing } = scenario;
    await existing();
    emulator.addFault({ kind: "concurrent_revision", when: "before", repo_ref: "theirs" });
    emulator.addFault({ kind: "hide", fields: ["active_revision_id"] });
    emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 30_000 });

    const run = await deploy(inputs);

    expectCannotTell(run, scenario, 0, 1);
    expect(run.took).toBeGreaterThanOrEqual(30);
  });

  test.each<[string, Inputs, string]>([
    ["a run that waits", { timeout_seconds: "90" }, "Could not confirm that revision"],
    ["a run that does not", { wait: "false" }, "the list of revisions does not show it"],
  ])("fails %s in time", async (_what, inputs, words) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    await existing();
    emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 3_600_000 });

    const run = await deploy(inputs);

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, words);
  });
});

test("a latest revision that is not listed may be this run's too", async () => {
  const { deploy, emulator, existing } = await startScenario(immediate);
  const { id } = await existing();
  emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "theirs" } }));
  const theirs = { id: "theirs", status: "DEPLOYED" };
  emulator.addFault(answer("GET /revisions/theirs$", 200, { body: theirs, times: "always" }));
  emulator.addFault(
    answer("GET /revisions$", 200, { body: { resources: [theirs] }, from: 2, times: "always" }),
  );
  const body = { id, name: "agent", active_revision_id: "theirs", latest_revision_id: "ours" };
  emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, from: 3, times: "always" }));

  const run = await deploy();

  expectError(run, "Can't tell which revision is this run's: several are new, theirs and ours.");
});

test("a named revision that failed may be another run's if the list shows a second new one", async () => {
  const { deploy, emulator, existing } = await startScenario(immediate);
  const { id } = await existing();
  const failed = { id: "theirs", status: "BUILD_FAILED" };
  emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: "theirs" } }));
  emulator.addFault(answer("GET /revisions/theirs$", 200, { body: failed, times: "always" }));
  const resources = [{ id: "ours", status: "BUILDING" }, failed];
  emulator.addFault(answer("GET /revisions$", 200, { body: { resources }, from: 2, times: "always" }));

  const run = await deploy();

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "Can't tell which revision is this run's: several are new, theirs and ours.");
});

test("a revision that a POST names is this run's, whatever others appear", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ platform: "langsmith" });
  await existing();
  emulator.addFault({ kind: "concurrent_revision", when: "before" });
  emulator.addFault({ kind: "concurrent_revision", when: "after" });
  emulator.addFault({ kind: "statuses", repo_ref: "main", sequence: [{ status: "DEPLOYED" }] });

  const run = await deploy({ wait: "false" });

  expect(run.outputs).toMatchObject({ outcome: "started", revision_id: stored().revisions[1]?.id });
});

describe("a run fails without a revision_id", () => {
  test("if only the revision from before the update is shown, although it is DEPLOYED", async () => {
    const { deploy, emulator, existing } = await startScenario();
    const { id, revisionId } = await existing();
    emulator.addFault(unnamed);
    emulator.addFault({ kind: "hide_new", milliseconds: 3_600_000 });

    const run = await deploy();

    expectNone(run, "60 s", id);
    expect(run.log).not.toContain(revisionId);
    expect(run.took).toBe(60);
  });

  test("if the update had no effect, and a revision from before it is listed late", async () => {
    const { deploy, emulator, existing, pass, stored } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addConcurrentRevision(id, "main");
    await pass(60);
    emulator.addFault({ kind: "hide_new", milliseconds: 70_000 });
    emulator.addFault(answer(patch, 200, { body: { id } }));

    const run = await deploy();

    expect(stored().revisions).toHaveLength(2);
    expectNone(run, "60 s");
  });

  test("if a create makes none", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault({ kind: "hide", match: { method: "POST" }, fields: ["latest_revision_id"] });
    emulator.addFault(answer({ ...list, times: "always" }, 200, { body: { resources: [] } }));

    const run = await deploy();

    expectNone(run, "A revision from the creation of agent may still be running");
    expect(run.outputs.created).toBe("true");
  });

  test("if the list can't be read for a minute, and the error does not say that there is no new one", async () => {
    const { deploy, emulator, existing } = await startScenario();
    const { id } = await existing();
    emulator.addFault(unnamed);
    emulator.addFault(answer({ ...list, from: 2, times: "always" }, 503, { body: { detail: "down" } }));

    const run = await deploy();

    expectNone(
      run,
      "Could not read which revision this run made",
      "down",
      `A revision from the update of ${id} may`,
    );
    expect(run.log).not.toContain("no new revision");
  });

  test("if the list is refused, and the error says that a revision may be running", async () => {
    const { deploy, emulator, existing } = await startScenario();
    const { id } = await existing();
    emulator.addFault(unnamed);
    emulator.addFault(answer({ ...list, from: 2 }, 401, { body: { detail: "revoked" } }));

    const run = await deploy();

    expectNone(run, "revoked", "api_key", `A revision from the update of ${id} may still be running`);
  });
});

test("if the first read of this run's revision is refused, its id is an output", async () => {
  const { deploy, emulator, existing, stored } = await startScenario();
  await existing();
  emulator.addFault(answer("GET /revisions/", 401, { body: { detail: "revoked" }, times: "always" }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: stored().revisions[0]?.id });
});

describe("after a create, this run's revision is", () => {
  test("found in the list if the response names none", async () => {
    const { deploy, emulator, stored } = await startScenario();
    emulator.addFault({ kind: "hide", match: { method: "POST" }, fields: ["latest_revision_id"] });

    const run = await deploy();

    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "true",
      revision_id: stored().revisions[0]?.id,
    });
  });

  test("never one with an id that no path can hold", async () => {
    const { deploy, emulator } = await startScenario();
    const body = { id: "d1", latest_revision_id: ".." };
    emulator.addFault(answer("POST", 201, { body }));

    const run = await deploy();

    expectNone(run, "d1");
  });
});
