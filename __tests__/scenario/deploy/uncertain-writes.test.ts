import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { defaultCreate, type Scenario, startScenario, writes } from "../../support/scenario.ts";

type Method = "POST" | "PATCH";
/** A write of which it isn't known whether it took effect, and whether it did. */
type Fault = (method: Method, applied: boolean) => RuleInput;

const faults: Readonly<Record<string, Fault>> = {
  "the connection is reset": (method, applied) => ({ kind: "reset", match: { method }, applied }),
  "no answer comes": (method, applied) => ({ kind: "hang", match: { method }, applied }),
  "the answer is 500": (method, applied) => ({
    kind: "answer",
    match: { method },
    applied,
    status: 500,
    body: { detail: "boom" },
  }),
  "the answer is 504 from a gateway": (method, applied) => ({
    kind: "answer",
    match: { method },
    applied,
    status: 504,
    headers: { "content-type": "text/html" },
    body: "<html>Gateway Timeout</html>",
  }),
  "the answer makes no sense": (method, applied) => ({
    kind: "answer",
    match: { method },
    applied,
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<html>Welcome</html>",
  }),
};

const inputs = { request_timeout_seconds: "0.2" };
const appliedFaults: [string, Fault][] = [
  ...Object.entries(faults),
  ["the answer is cut", (method) => ({ kind: "cut", match: { method } })],
  ["the answer is cut in a chunk", (method) => ({ kind: "cut", match: { method }, framing: "chunked" })],
];

function newRevisions(scenario: Scenario): number {
  return scenario.held().revisions.length - 1;
}

describe("a create that took effect is adopted, and not sent again, when", () => {
  test.each(appliedFaults)("%s", async (_what, fault) => {
    const { deploy, emulator, held } = await startScenario({ statusSeconds: 0 });
    emulator.misbehave(fault("POST", true));
    const run = await deploy(inputs);
    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "true",
      deployment_id: held().id,
      revision_id: held().latest_revision_id,
    });
    expect(writes(run.requests)).toHaveLength(1);
    expect(emulator.deployments()).toHaveLength(1);
    expect(run.warnings).toHaveLength(1);
    expect(run.warnings[0]).toContain("POST /v2/deployments");
  });
});

describe("a create of which nothing is seen is not sent again, and what may be left is said, when", () => {
  test.each(Object.entries(faults))("%s", async (_what, fault) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave(fault("POST", false));
    const run = await deploy(inputs);
    expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "60" });
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toMatch(
      /can't be told whether.*A deployment named agent may have been left behind/,
    );
    expect(run.took).toBe(60);
  });
});

describe("an update that took effect is adopted, and not sent again, when", () => {
  test.each(appliedFaults)("%s", async (_what, fault) => {
    const scenario = await startScenario({ statusSeconds: 0 });
    const { deploy, emulator, existing, held } = scenario;
    const { id, revisionId } = await existing();
    emulator.misbehave(fault("PATCH", true));
    const run = await deploy(inputs);
    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "false",
      deployment_id: id,
      revision_id: held().latest_revision_id,
    });
    expect(run.outputs.revision_id).not.toBe(revisionId);
    expect(writes(run.requests)).toHaveLength(1);
    expect(newRevisions(scenario)).toBe(1);
    expect(run.warnings).toHaveLength(1);
  });
});

describe("an update of which nothing is seen is not sent again, and what may be left is said, when", () => {
  test.each(Object.entries(faults))("%s", async (_what, fault) => {
    const scenario = await startScenario();
    const { deploy, emulator, existing } = scenario;
    const { id } = await existing();
    emulator.misbehave(fault("PATCH", false));
    const run = await deploy(inputs);
    expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
    expect(run.outputs).not.toHaveProperty("revision_id");
    expect(writes(run.requests)).toHaveLength(1);
    expect(newRevisions(scenario)).toBe(0);
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toMatch(
      new RegExp(`can't be told whether the update of ${id}.*A revision of ${id} may still appear`),
    );
  });
});

test("the lost create is looked for while the list lags", async () => {
  const { deploy, emulator, held } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
  emulator.misbehave({
    kind: "lag",
    where: ["deployments", "revisions", "deployment"],
    milliseconds: 30_000,
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: held().id, created: "true" });
});

test("the lost update is looked for while the list lags", async () => {
  const { deploy, emulator, existing, held } = await startScenario({ statusSeconds: 0 });
  await existing();
  emulator.misbehave({ kind: "reset", match: { method: "PATCH" }, applied: true });
  emulator.misbehave({ kind: "lag", where: ["revisions"], milliseconds: 30_000 });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().latest_revision_id });
});

test("failed looks for a lost write are borne", async () => {
  const { deploy, emulator, held } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$", from: 2, times: 5 },
    status: 502,
  });
  const run = await deploy();
  expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: held().id });
});

test("a look for a lost write that is asked to wait waits", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$", from: 2 },
    status: 429,
    headers: { "retry-after": "30" },
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.took).toBe(30);
});

describe("looks that are refused leave it open whether the write took effect, which is said", () => {
  const refused = { status: 403, body: { detail: "The key was revoked" } };

  test("after a create", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$", from: 2, times: "always" },
      ...refused,
    });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("A deployment named agent may have been left behind");
    expect(run.errors[0]).toContain("The key was revoked");
  });

  test("after an update", async () => {
    const { deploy, emulator, existing } = await startScenario();
    const { id } = await existing();
    emulator.misbehave({ kind: "reset", match: { method: "PATCH" }, applied: true });
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "/revisions$", from: 2, times: "always" },
      ...refused,
    });
    const run = await deploy();
    expect(run.outputs.outcome).toBe("failed");
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain(`A revision of ${id} may still appear`);
    expect(run.errors[0]).toContain("The key was revoked");
  });
});

test("without a list endpoint a lost create can't be told, which is said without waiting", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$", times: "always" },
    status: 404,
    body: { detail: "Not Found" },
  });
  emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain("A deployment named agent may have been left behind");
  expect(run.took).toBe(0);
  expect(run.errors[0]).not.toContain("within 60 s");
});

describe("of a lost create nothing is adopted that isn't this run's:", () => {
  const notApplied = { kind: "answer", match: { method: "POST" }, applied: false, status: 502 } as const;

  async function expectDoubt({ deploy }: Scenario): Promise<void> {
    const run = await deploy();
    expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "60" });
    expect(run.errors).toEqual([expect.stringMatching(/A deployment named agent may have been left behind/)]);
  }

  test("what another repository makes meanwhile", async () => {
    const scenario = await startScenario({ statusSeconds: 0 });
    const theirs = { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" };
    scenario.emulator.misbehave(notApplied);
    scenario.clock.at(
      5_000,
      () => void scenario.elsewhere("POST /v2/deployments", { ...defaultCreate, source_config: theirs }),
    );
    await expectDoubt(scenario);
  });

  test("what was there long before, but wasn't listed at first", async () => {
    const scenario = await startScenario({ statusSeconds: 0 });
    await scenario.existing();
    await scenario.pass(600);
    scenario.emulator.misbehave(notApplied);
    scenario.emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments$" },
      status: 200,
      body: { resources: [], offset: 0 },
    });
    await expectDoubt(scenario);
  });
});

test("of a lost create the first revision is this run's, even if another of the same ref followed", async () => {
  const { clock, deploy, emulator, held } = await startScenario();
  emulator.misbehave({ kind: "reset", match: { method: "POST" }, applied: true });
  emulator.misbehave({ kind: "lag", where: ["deployments"], milliseconds: 10_000 });
  clock.at(5_000, () => void emulator.addForeignRevision(held().id));
  const run = await deploy();
  expect(held().revisions).toHaveLength(2);
  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: held().revisions[1]?.id });
});
