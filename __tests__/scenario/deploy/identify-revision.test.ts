import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, type Scenario, startScenario, writes } from "../../support/scenario.ts";

const patch = { method: "PATCH" };
const list = { method: "GET", path: "/revisions$" };
const emptyList: FaultRule = answer(list, 200, { body: { resources: [] } });
const unnamed: FaultRule = { kind: "hide", match: patch, fields: ["latest_revision_id"] };

/** The id of the revision of a ref. */
function revisionOf({ stored }: Scenario, ref: string): string | undefined {
  return stored().revisions.find(({ source_revision_config: { repo_ref } }) => repo_ref === ref)?.id;
}

/** A deployment that was created hours ago and shows neither its latest nor its live revision, nor the first list. */
async function startOpaque(): Promise<Scenario & { id: string; revisionId: string }> {
  const scenario = await startScenario();
  const existing = await scenario.existing();
  await scenario.pass(7200);
  const match = { method: "GET", path: `^/v2/deployments/${existing.id}$`, times: "always" } as const;
  scenario.emulator.addFault({ kind: "hide", match, fields: ["latest_revision_id", "active_revision_id"] });
  scenario.emulator.addFault(emptyList);
  return { ...scenario, ...existing };
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
    ["a response of blanks", { body: "\n " }],
    ["null", { body: "null", headers: { "content-type": "application/json" } }],
    ["another object", { body: { message: "accepted" } }],
  ])("after %s", async (_what, response) => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
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

  test.each(["before", "after"] as const)("not one of another ref that appears %s it", async (when) => {
    const scenario = await startScenario();
    await scenario.existing();
    scenario.emulator.addFault(unnamed);
    scenario.emulator.addFault({ kind: "concurrent_revision", when, repo_ref: "theirs" });

    const run = await scenario.deploy({ repo_ref: "ours" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: revisionOf(scenario, "ours") });
    expect(run.warnings).toEqual([]);
  });
});

describe("if neither the update nor the list shows which of several new revisions is this run's,", () => {
  const hidden: FaultRule = { kind: "hide", fields: ["source_revision_config", "latest_revision_id"] };

  /** Somebody else's revision appears right before or after this run's. `status`: how one of the two ends. */
  async function startAmbiguous(
    when: "before" | "after",
    ...[ref, ...sequence]: [string, ...{ status: string; seconds?: number }[]]
  ) {
    const scenario = await startScenario({ statusSeconds: 0 });
    await scenario.existing();
    scenario.emulator.addFault(hidden);
    scenario.emulator.addFault({ kind: "concurrent_revision", when, repo_ref: "theirs" });
    scenario.emulator.addFault({ kind: "statuses", repo_ref: ref, sequence });
    return scenario;
  }

  test.each(["before", "after"] as const)(
    "the oldest is taken, and the run succeeds because all are DEPLOYED (%s)",
    async (when) => {
      const building = { status: "BUILDING", seconds: 20 };
      const { deploy, stored } = await startAmbiguous(when, "ours", building, { status: "DEPLOYED" });

      const run = await deploy({ repo_ref: "ours" });

      expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[1]?.id });
      expect(run.warnings).toEqual([expect.stringContaining("Several new revisions appeared")]);
      expect(run.took).toBeGreaterThanOrEqual(20);
    },
  );

  test.each([
    ["BUILD_FAILED", 0],
    ["SKIPPED", 0],
    ["BUILDING", 1800],
  ])("the run fails if one of them is %s", async (status, took) => {
    const { deploy, stored } = await startAmbiguous("before", "ours", { status });

    const run = await deploy({ repo_ref: "ours", rollback_on_failure: "true" });

    const [ours, theirs] = stored().revisions;
    expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: theirs?.id, status: "DEPLOYED" });
    expectError(run, ours?.id, "may be this run's", status);
    expect(run.took).toBe(took);
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("the run fails even if the one that fails is listed only after the other was taken", async () => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing();
    const [old] = stored().revisions;
    emulator.addFault({ ...hidden, fields: [...hidden.fields, "active_revision_id"] });
    const theirs = emulator.addConcurrentRevision(id, "theirs");
    const [before, first] = [[old], [theirs, old]].map((resources) => ({
      kind: "answer" as const,
      status: 200,
      body: { resources: resources.map((revision) => ({ ...revision, source_revision_config: undefined })) },
    }));
    emulator.addFault({ ...before, match: { ...list, times: 2 } });
    emulator.addFault({ ...first, match: { ...list, from: 3 } });
    emulator.addFault({ kind: "statuses", repo_ref: "ours", sequence: [{ status: "BUILD_FAILED" }] });

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: theirs.id });
    expectError(run, stored().revisions[0]?.id, "may be this run's", "BUILD_FAILED");
  });

  test("none is taken if the list before the update was empty, because old ones look new then", async () => {
    const { deploy, emulator, id, revisionId } = await startOpaque();
    emulator.addFault({ kind: "answer", match: { ...list, from: 2 }, status: 200, body: { resources: [] } });
    emulator.addFault({ ...hidden, fields: [...hidden.fields, "active_revision_id", "created_at"] });

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
    expect(run.outputs).not.toHaveProperty("revision_id");
    expectError(run, "60 s", revisionId);
  });

  test("one that was created minutes later does not count", async () => {
    const { clock, deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 60 });
    const { id } = await existing();
    await clock.sleep(600_000, new AbortController().signal);
    emulator.addFault(hidden);
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "BUILD_FAILED" }] });
    clock.at(clock.elapsed() + 90_000, () => void emulator.addConcurrentRevision(id, "theirs"));

    const run = await deploy({ repo_ref: "ours" });

    expect(stored().revisions).toHaveLength(3);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[1]?.id });
    expect(run.warnings).toEqual([]);
  });
});

describe("a run fails without a revision_id", () => {
  test("if only the revision from before the update is shown, although it is DEPLOYED", async () => {
    const { deploy, emulator, existing } = await startScenario();
    const { id, revisionId } = await existing();
    emulator.addFault(unnamed);
    emulator.addFault({ kind: "hide_new", milliseconds: 3_600_000 });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
    expect(run.outputs).not.toHaveProperty("revision_id");
    expect(run.outputs).not.toHaveProperty("status");
    expect(run.log).not.toContain(revisionId);
    expectError(run, "60 s");
    expect(run.took).toBe(60);
  });

  test("if a create makes none, and the error says that the deployment may be left behind", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault({ kind: "hide", match: { method: "POST" }, fields: ["latest_revision_id"] });
    emulator.addFault({ ...emptyList, match: { ...list, times: "always" } });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "failed", created: "true" });
    expectError(run, "created", "left behind");
  });
});

describe("if the update names a revision", () => {
  test("that existed before and is listed, this run's is searched in the list", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    const { id, revisionId } = await existing();
    const body = { id, latest_revision_id: revisionId, status: "READY" };
    emulator.addFault(answer(patch, 200, { body, applied: true }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
    expect(run.outputs.revision_id).not.toBe(revisionId);
  });

  test("of another ref, this run's is searched in the list, with a warning", async () => {
    const scenario = await startOpaque();
    const { deploy, emulator, id } = scenario;
    const theirs = emulator.addConcurrentRevision(id, "theirs").id;
    const body = { id, latest_revision_id: theirs };
    emulator.addFault(answer(patch, 200, { body, applied: true }));

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: revisionOf(scenario, "ours") });
    expect(run.warnings).toEqual([expect.stringContaining(theirs)]);
  });

  test("and the first read of it is refused, its id is an output", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    await existing();
    emulator.addFault(answer("GET /revisions/", 401, { body: { detail: "revoked" }, times: "always" }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: stored().revisions[0]?.id });
  });
});

test("if the search for the revision is refused, the error says that one may be running", async () => {
  const { deploy, emulator, id } = await startOpaque();
  const match = { method: "GET", path: "/revisions$", from: 2, times: "always" } as const;
  emulator.addFault(answer(patch, 200, { applied: true }));
  emulator.addFault(answer(match, 401, { body: { detail: "revoked" } }));

  const run = await deploy();

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "revoked", "api_key", `A revision of deployment ${id} may have been started`);
});

describe("after a create, this run's revision is", () => {
  test("the one that the response names, even if others follow", async () => {
    const { clock, deploy, emulator, stored } = await startScenario();
    clock.at(3_000, () => void emulator.addConcurrentRevision(stored().id));

    const run = await deploy();

    expect(stored().revisions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[1]?.id });
  });

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

    expect(run.outputs.outcome).toBe("failed");
    expect(run.took).toBe(0);
  });
});
