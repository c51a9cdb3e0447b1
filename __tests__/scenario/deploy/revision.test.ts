import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { startScenario, writes } from "../../support/scenario.ts";

const patch = { method: "PATCH" };
const withoutId: RuleInput = { kind: "hide", match: patch, fields: ["latest_revision_id"] };

test("the revision that the answer to the update names is this run's", async () => {
  const { deploy, existing, held } = await startScenario();
  const { revisionId } = await existing();
  const run = await deploy();
  expect(run.outputs.revision_id).toBe(held().revisions[0]?.id);
  expect(run.outputs.revision_id).not.toBe(revisionId);
  expect(run.requests.filter(({ path }) => path.endsWith("/revisions"))).toHaveLength(1);
});

test("a list that lags behind the update is read until the new revision shows", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  const old = await existing();
  emulator.misbehave(withoutId);
  emulator.misbehave({ kind: "lag", where: ["revisions"], milliseconds: 20_000 });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
  expect(run.outputs.revision_id).not.toBe(old.revisionId);
  expect(run.requests.filter(({ path }) => path.endsWith("/revisions")).length).toBeGreaterThan(5);
});

test("the newest revision shown, an old one that is DEPLOYED, is never taken for this run's", async () => {
  const { deploy, emulator, existing } = await startScenario();
  const { id, revisionId } = await existing();
  emulator.misbehave(withoutId);
  emulator.misbehave({ kind: "lag", milliseconds: 3_600_000 });
  const run = await deploy();
  expect(run.succeeded).toBe(false);
  expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(run.outputs).not.toHaveProperty("status");
  expect(run.log).not.toContain(revisionId);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("no new revision of this run appeared within 60 s");
  expect(run.took).toBe(60);
});

test("an answer that names the old revision is not believed", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  const { id, revisionId } = await existing();
  emulator.misbehave({
    kind: "answer",
    match: patch,
    applied: true,
    status: 200,
    body: { id, latest_revision_id: revisionId, status: "READY" },
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
  expect(run.outputs.revision_id).not.toBe(revisionId);
});

describe("an answer to the update without the revision's id is fine", () => {
  test.each([
    ["empty", {}],
    ["of blanks", { body: "\n " }],
    ["null", { body: "null", headers: { "content-type": "application/json" } }],
    ["another object", { body: { message: "accepted" } }],
  ])("%s", async (_what, answer) => {
    const { deploy, emulator, existing, held } = await startScenario({ statusSeconds: 0 });
    await existing();
    emulator.misbehave({ kind: "answer", match: patch, applied: true, status: 200, ...answer });
    const run = await deploy();
    expect(run.warnings).toEqual([]);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
    expect(writes(run.requests)).toHaveLength(1);
  });
});

describe("somebody else's revision of another ref isn't taken, whether it comes", () => {
  test.each(["before", "after"] as const)("%s this run's", async (when) => {
    const { deploy, emulator, existing, held } = await startScenario();
    await existing();
    emulator.misbehave(withoutId);
    emulator.misbehave({ kind: "foreign_revision", when, repo_ref: "theirs" });
    const run = await deploy({ repo_ref: "ours" });
    const ours = held().revisions.find(({ source_revision_config: { repo_ref } }) => repo_ref === "ours");
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: ours?.id });
    expect(run.warnings).toEqual([]);
  });
});

test("while only somebody else's revision shows, this run's is waited for", async () => {
  const { clock, deploy, emulator, existing, held } = await startScenario();
  const { id } = await existing();
  emulator.misbehave({ kind: "answer", match: patch, applied: true, status: 200 });
  const showAll = emulator.misbehave({ kind: "lag", where: ["revisions"], milliseconds: 3_600_000 });
  clock.at(clock.elapsed() + 5_000, () => {
    const shown = held().revisions[0];
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "/revisions$", times: 3 },
      status: 200,
      body: { resources: [{ ...shown, id: "theirs", source_revision_config: { repo_ref: "theirs" } }] },
    });
    showAll();
  });
  const run = await deploy({ deployment_id: id });
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
});

test("if nobody but somebody else made a revision, that is said", async () => {
  const { clock, deploy, emulator, existing } = await startScenario();
  const { id } = await existing();
  emulator.misbehave({ kind: "answer", match: patch, status: 200 });
  let foreign = "";
  clock.at(clock.elapsed() + 1_000, () => {
    foreign = emulator.addForeignRevision(id, "theirs").id;
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(run.errors[0]).toContain(`New, but of another source: ${foreign}.`);
});

describe("of several that deploy the same the oldest is taken, whether somebody else's comes", () => {
  test.each(["before", "after"] as const)("%s this run's", async (when) => {
    const { deploy, emulator, existing, held } = await startScenario();
    await existing();
    emulator.misbehave(withoutId);
    emulator.misbehave({ kind: "foreign_revision", when });
    const run = await deploy();
    expect(held().revisions).toHaveLength(3);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[1]?.id });
    expect(run.warnings).toEqual([]);
  });
});

test("where the platform doesn't show what revisions deploy, the oldest new one is taken, with a warning", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  await existing();
  emulator.misbehave({ kind: "hide", fields: ["source_revision_config"] });
  emulator.misbehave(withoutId);
  emulator.misbehave({ kind: "foreign_revision", when: "after", repo_ref: "theirs" });
  const run = await deploy({ repo_ref: "ours" });
  const oldestNew = held().revisions[1]?.id;
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: oldestNew });
  expect(run.warnings).toHaveLength(1);
  expect(run.warnings[0]).toContain(String(oldestNew));
});

test("an answer that names somebody else's revision leads to a look for this run's own", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  const { id } = await existing();
  const theirs = emulator.addForeignRevision(id, "theirs").id;
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "/revisions$" },
    status: 200,
    body: { resources: [] },
  });
  emulator.misbehave({
    kind: "hide",
    match: { method: "GET", path: `^/v2/deployments/${id}$` },
    fields: ["latest_revision_id", "active_revision_id"],
  });
  emulator.misbehave({
    kind: "answer",
    match: patch,
    applied: true,
    status: 200,
    body: { id, latest_revision_id: theirs },
  });
  const run = await deploy({ repo_ref: "ours" });
  const ours = held().revisions.find(({ source_revision_config: { repo_ref } }) => repo_ref === "ours");
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: ours?.id });
  expect(run.warnings).toHaveLength(1);
});

test("if no other revision appears, the one that the answer named is this run's, whatever it shows", async () => {
  const { deploy, emulator, existing } = await startScenario();
  const { id } = await existing();
  const named = emulator.addForeignRevision(id, "spelled-otherwise").id;
  emulator.misbehave({
    kind: "hide",
    match: { method: "GET", path: `^/v2/deployments/${id}$`, times: 2 },
    fields: ["latest_revision_id", "active_revision_id"],
  });
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "/revisions$" },
    status: 200,
    body: { resources: [] },
  });
  emulator.misbehave({ kind: "answer", match: patch, status: 200, body: { id, latest_revision_id: named } });
  const run = await deploy({ repo_ref: "ours" });
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: named });
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings[1]).toContain(named);
});

test("a revision that the answer names is this run's also where the platform doesn't show what it deploys", async () => {
  const { deploy, emulator, existing, held } = await startScenario();
  await existing();
  emulator.misbehave({
    kind: "hide",
    match: { method: "GET", path: "/revisions/" },
    fields: ["source_revision_config"],
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
});

test("after a create it is the answer's, however many follow", async () => {
  const { clock, deploy, emulator, held } = await startScenario();
  clock.at(3_000, () => void emulator.addForeignRevision(held().id));
  const run = await deploy();
  expect(held().revisions).toHaveLength(2);
  expect(run.outputs.revision_id).toBe(held().revisions[1]?.id);
  expect(run.outputs.outcome).toBe("deployed");
});

test("a create whose answer names no revision finds it in the list", async () => {
  const { deploy, emulator, held } = await startScenario();
  emulator.misbehave({ kind: "hide", match: { method: "POST" }, fields: ["latest_revision_id"] });
  const run = await deploy();
  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    created: "true",
    revision_id: held().revisions[0]?.id,
  });
});
