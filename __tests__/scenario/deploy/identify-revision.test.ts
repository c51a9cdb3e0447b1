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
    [
      "a response about another deployment",
      { body: { id: "other", latest_revision_id: "theirs", url: "https://x.example" } },
    ],
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
