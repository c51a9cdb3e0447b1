import { describe, expect, test } from "@jest/globals";
import { type Scenario, startScenario } from "../../support/scenario.ts";

const deployment = { method: "GET", path: "^/v2/deployments/[^/]+$" };

/** A deployment that is there already and shows, from the first read after the write on, this revision as the live one. */
async function startShowingLive(activeRevisionId: string | null): Promise<Scenario> {
  const scenario = await startScenario({ statusSeconds: 0 });
  const { id } = await scenario.existing();
  scenario.emulator.misbehave({
    kind: "answer",
    match: { ...deployment, from: 2, times: "always" },
    status: 200,
    body: { id, name: "agent", active_revision_id: activeRevisionId },
  });
  return scenario;
}

test("a platform that doesn't show which revision is live is believed its DEPLOYED", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({ kind: "hide", fields: ["active_revision_id"] });
  expect((await deploy()).outputs.outcome).toBe("deployed");
});

test("one that shows null, too", async () => {
  const scenario = await startShowingLive(null);
  const run = await scenario.deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.notices).toEqual([]);
});

test("if a newer revision is live by then, this run's was deployed, which a notice tells", async () => {
  const { clock, deploy, emulator, held } = await startScenario();
  emulator.misbehave({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
  let newer = "";
  clock.at(3_000, () => {
    newer = emulator.addForeignRevision(held().id, "theirs").id;
  });
  const run = await deploy();
  const ours = held().revisions[1]?.id;
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: ours });
  const told = `Revision ${ours} was deployed; the newer revision ${newer} is live by now.`;
  expect(run.notices).toEqual([told]);
  expect(run.infos.at(-1)).toBe(told);
  expect(run.summary.replaceAll("`", "")).toContain(told);
  expect(run.log + run.summary).not.toContain(`${ours} is live`);
});

test("an older one that is still live is waited out", async () => {
  const scenario = await startScenario({ statusSeconds: 0 });
  const { deploy, emulator, existing } = scenario;
  const { id, revisionId } = await existing();
  emulator.misbehave({
    kind: "answer",
    match: { ...deployment, from: 2, times: 3 },
    status: 200,
    body: { id, name: "agent", active_revision_id: revisionId },
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.filter((line) => line.includes(`${revisionId} is still the live one`))).toHaveLength(1);
  expect(run.took).toBeGreaterThan(2);
});

test("an older one that stays live until the deadline is a failure that names it", async () => {
  const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
  const { id, revisionId } = await existing();
  emulator.misbehave({
    kind: "answer",
    match: { ...deployment, from: 2, times: "always" },
    status: 200,
    body: { id, name: "agent", active_revision_id: revisionId },
  });
  const run = await deploy({ timeout_seconds: "120" });
  expect(run.succeeded).toBe(false);
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED", duration_seconds: "120" });
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain(`the live one is still the older revision ${revisionId}`);
});

test("one made between the first read and the write is older, too", async () => {
  const { deploy, emulator, existing, held } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const before = emulator.addForeignRevision(id, "theirs").id;
  emulator.misbehave({
    kind: "answer",
    match: { path: "/revisions$" },
    status: 200,
    body: { resources: [] },
  });
  emulator.misbehave({ kind: "hide", match: deployment, fields: ["latest_revision_id"] });
  emulator.misbehave({
    kind: "answer",
    match: { ...deployment, from: 2, times: "always" },
    status: 200,
    body: { id, name: "agent", active_revision_id: before },
  });
  const run = await deploy({ timeout_seconds: "60" });
  expect(held().revisions[1]?.id).toBe(before);
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors[0]).toContain(before);
});

describe("when the live revision can't be read", () => {
  test("it is looked at again", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: { ...deployment, times: 3 }, status: 500 });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("deployed");
  });

  test("up to the deadline, which is then told", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave({ kind: "answer", match: { ...deployment, times: "always" }, status: 500 });
    const run = await deploy({ timeout_seconds: "60" });
    expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "DEPLOYED" });
    expect(run.errors[0]).toContain("it couldn't be read whether it is the live one");
  });

  test("at the last look, it is read once more", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 10 });
    emulator.misbehave({ kind: "answer", match: deployment, status: 500 });
    const run = await deploy({ timeout_seconds: "60" });
    expect(run.took).toBe(60);
    expect(run.outputs.outcome).toBe("deployed");
  });
});

test("a live revision of which it can't be told whether it is older is not called so", async () => {
  const scenario = await startShowingLive("unknown");
  const run = await scenario.deploy({ timeout_seconds: "60" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("unknown");
  expect(run.errors[0]).not.toContain("older");
});
