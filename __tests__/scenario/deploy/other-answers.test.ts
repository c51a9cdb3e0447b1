import { describe, expect, test } from "@jest/globals";
import { type Scenario, startScenario, writes } from "../../support/scenario.ts";

const list = { method: "GET", path: "/revisions$" };

/** An `agent` with a live revision, made hours ago, and a deployment of another name. */
async function twoDeployments(): Promise<Scenario & { agent: string; live: string; other: string }> {
  const scenario = await startScenario({ statusSeconds: 5 });
  const { id: agent, revisionId: live } = await scenario.existing();
  const { id: other } = await scenario.existing("production");
  await scenario.pass(7200);
  return { ...scenario, agent, live, other };
}

describe("an answer that shows another deployment than was asked for is none", () => {
  test.each(["deployment_id", "name"])("by %s", async (input) => {
    const { agent, other, deploy, emulator } = await twoDeployments();
    const path = `^/v2/deployments/${agent}$`;
    const body = { id: other, name: "agent" };
    emulator.misbehave({ kind: "answer", match: { path, times: "always" }, status: 200, body });
    const run = await deploy(input === "name" ? {} : { deployment_id: agent });
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringContaining(`it shows ${other} in place of what was asked for`)]);
    expect(writes(run.requests)).toEqual([]);
  });

  test("but an id may be written in another case", async () => {
    const { agent, deploy, emulator } = await twoDeployments();
    const body = { id: agent.toUpperCase(), name: "agent" };
    emulator.misbehave({
      kind: "answer",
      match: { path: `^/v2/deployments/${agent}$`, times: 1 },
      status: 200,
      body,
    });
    expect((await deploy({ deployment_id: agent })).errors).toEqual([]);
  });

  test("to the update: it tells nothing of this run's revision", async () => {
    const { other, deploy, emulator, held } = await twoDeployments();
    const body = { id: other, latest_revision_id: "theirs", url: "https://theirs.example" };
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, applied: true, status: 200, body });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
    expect(run.outputs.deployment_url).not.toBe("https://theirs.example");
  });

  test("to the create: what was really created is looked for", async () => {
    const { deploy, emulator, held } = await startScenario({ statusSeconds: 0 });
    const body = { id: "other", name: "other-agent", latest_revision_id: "theirs" };
    emulator.misbehave({ kind: "answer", match: { method: "POST" }, applied: true, status: 201, body });
    const run = await deploy();
    expect(run.warnings).toEqual([expect.stringContaining("a deployment named other-agent, not agent")]);
    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "true",
      deployment_id: held().id,
      revision_id: held().revisions[0]?.id,
    });
  });
});

test("a deployment that goes by another name than the list says isn't the one that is meant", async () => {
  const { deploy, emulator, existing, held } = await startScenario({ statusSeconds: 0 });
  const { id: other } = await existing("production");
  const listed = { resources: [{ id: other, name: "agent" }] };
  const match = { method: "GET", path: "^/v2/deployments$" };
  emulator.misbehave({ kind: "answer", match, status: 200, body: listed });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true", deployment_id: held().id });
  expect(held("production").revisions).toHaveLength(1);
});

test("a look at the revision that shows an old one, DEPLOYED, tells nothing of this run's", async () => {
  const { live, deploy, emulator } = await twoDeployments();
  const match = { path: "/revisions/", times: "always" } as const;
  const body = { id: live, status: "DEPLOYED" };
  emulator.misbehave({ kind: "answer", match, status: 200, body });
  const run = await deploy({ timeout_seconds: "60" });
  expect(run.outputs.outcome).toBe("timed_out");
  expect(run.outputs.revision_id).not.toBe(live);
  expect(run.errors).toEqual([expect.stringContaining(`it shows ${live} in place of what was asked for`)]);
});

describe("a revision from long before the write isn't this run's,", () => {
  async function withoutSigns(): ReturnType<typeof twoDeployments> {
    const scenario = await twoDeployments();
    const match = { method: "GET", path: `^/v2/deployments/${scenario.agent}$`, times: "always" } as const;
    const fields = ["latest_revision_id", "active_revision_id"];
    scenario.emulator.misbehave({ kind: "hide", match, fields });
    // What was there before isn't listed before the write.
    scenario.emulator.misbehave({ kind: "answer", match: list, status: 200, body: { resources: [] } });
    return scenario;
  }

  test("though it came into the list after it", async () => {
    const { live, deploy, emulator } = await withoutSigns();
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, status: 200, body: {} });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(Object.values(run.outputs)).not.toContain(live);
    expect(run.errors).toEqual([expect.stringContaining("no new revision of this run appeared")]);
  });

  test("though the answer to the write names it", async () => {
    const { agent, live, deploy, emulator, held } = await withoutSigns();
    const body = { id: agent, latest_revision_id: live };
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, applied: true, status: 200, body });
    const run = await deploy();
    expect(run.warnings).toEqual([expect.stringContaining(`${live}, but that was there before`)]);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[0]?.id });
    expect(run.outputs.revision_id).not.toBe(live);
  });

  test("though nothing else comes after it", async () => {
    const { agent, live, deploy, emulator } = await withoutSigns();
    const body = { id: agent, latest_revision_id: live };
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, status: 200, body });
    const run = await deploy();
    expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: "" });
  });
});

test("a create of which no revision comes is told as that", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({ kind: "hide", match: { method: "POST" }, fields: ["latest_revision_id"] });
  emulator.misbehave({
    kind: "answer",
    match: { ...list, times: "always" },
    status: 200,
    body: { resources: [] },
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "failed", created: "true" });
  expect(run.errors).toEqual([expect.stringMatching(/^The platform created .*may be left behind/)]);
});

test("a revision that was seen and isn't shown any more isn't called not yet shown", async () => {
  const { deploy, emulator } = await startScenario();
  const body = { detail: "Not found" };
  emulator.misbehave({ kind: "answer", match: { path: "/revisions/", from: 2 }, status: 404, body });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.log).not.toContain("isn't shown yet");
  expect(run.log).toContain("was answered with 404: Not found");
});
