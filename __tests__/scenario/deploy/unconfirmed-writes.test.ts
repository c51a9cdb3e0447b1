import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type Scenario,
  startBehind,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const list = { method: "GET", path: "^/v2/deployments$", from: 2 };
const lost = (method: "POST" | "PATCH"): FaultRule => ({ kind: "reset", match: { method }, applied: true });

const html = { headers: { "content-type": "text/html" }, body: "<html>Gateway</html>" };
/** Responses to a write that takes effect which leave that open. */
const faults = [
  ["loses its connection", { kind: "reset", applied: true }],
  ["gets a 500", { kind: "answer", applied: true, status: 500, body: { detail: "boom" } }],
  ["gets a gateway's 504", { kind: "answer", applied: true, status: 504, ...html }],
  ["gets a success that is no JSON", { kind: "answer", applied: true, status: 200, ...html }],
  ["gets half a response", { kind: "cut" }],
] as const;
test.each(faults)(
  "a create that took effect is not repeated, but the deployment is updated, if it %s",
  async (_what, fault) => {
    const { deploy, emulator, stored } = await startScenario({ statusSeconds: 0 });
    emulator.addFault({ ...fault, match: { method: "POST" } });

    const run = await deploy();

    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "false",
      deployment_id: stored().id,
      revision_id: stored().latest_revision_id,
    });
    expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST", "PATCH"]);
    expect(emulator.deployments()).toHaveLength(1);
    expect(run.warnings).toEqual([expect.stringContaining("POST /v2/deployments")]);
  },
);

test.each(faults)("an update that took effect is confirmed, not repeated, if it %s", async (_what, fault) => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id, revisionId } = await existing();
  emulator.addFault({ ...fault, match: { method: "PATCH" } });

  const run = await deploy();

  const { latest_revision_id, revisions } = stored();
  expect(revisions).toHaveLength(2);
  expect(latest_revision_id).not.toBe(revisionId);
  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    created: "false",
    deployment_id: id,
    revision_id: latest_revision_id,
  });
  expect(writes(run.requests)).toHaveLength(1);
  expect(run.warnings).toHaveLength(1);
});

test("a create without an effect is not repeated, and the error says that a deployment may be left behind", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.addFault({ kind: "reset", match: { method: "POST" } });

  const run = await deploy();

  expect(run.outputs).toEqual({ name: "agent", outcome: "failed", created: "false", duration_seconds: "60" });
  expect(writes(run.requests)).toHaveLength(1);
  expectError(run, "POST", "named agent", "left behind");
  expect(run.took).toBe(60);
});

test("an update without an effect is not repeated, and the error says that a revision may still appear", async () => {
  const { deploy, emulator, existing, stored } = await startScenario();
  const { id } = await existing();
  emulator.addFault({ kind: "reset", match: { method: "PATCH" } });

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "failed", deployment_id: id });
  expect(run.outputs).not.toHaveProperty("revision_id");
  expect(writes(run.requests)).toHaveLength(1);
  expect(stored().revisions).toHaveLength(1);
  expectError(run, "PATCH", id, "may still appear");
});

describe("an unconfirmed write is confirmed", () => {
  test.each([
    ["create", "POST", "deployments"],
    ["update", "PATCH", "revisions"],
  ] as const)("while the list lags (%s)", async (_what, method, place) => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
    if (method === "PATCH") await existing();
    emulator.addFault(lost(method));
    emulator.addFault({ kind: "hide_new", where: [place], milliseconds: 30_000 });

    const run = await deploy();

    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      deployment_id: stored().id,
      revision_id: stored().latest_revision_id,
      created: "false",
    });
  });

  test("although some searches fail", async () => {
    const { deploy, emulator, stored } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(lost("POST"));
    emulator.addFault(answer(list, 502, { times: 5 }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: stored().id });
  });

  test("after the delay that the platform asks for", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(lost("POST"));
    emulator.addFault(answer(list, 429, { headers: { "retry-after": "30" } }));

    const run = await deploy();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.took).toBe(30);
  });
});

describe("after a lost create, the deployment of that name is updated, so that this run's own revision is made,", () => {
  const conflict = { detail: "duplicate key value violates unique constraint" };
  const theirs = { ...defaultCreate.source_revision_config, repo_ref: "theirs" };

  test("if another run created it a moment before", async () => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
    const { id, revisionId } = await existing("agent", { source_revision_config: theirs });
    const missing = { status: 200, body: { resources: [], offset: 0 } };
    emulator.addFault({ kind: "answer", match: { ...list, from: 1 }, ...missing });
    emulator.addFault(answer("POST", 500, { body: conflict }));

    const run = await deploy({ secrets: "KEY=value-of-this-run" });

    const [own] = stored().revisions;
    expect(stored().revisions).toHaveLength(2);
    expect(own?.source_revision_config.repo_ref).toBe("main");
    expect(run.outputs).toMatchObject({
      outcome: "deployed",
      created: "false",
      deployment_id: id,
      revision_id: own?.id,
      previous_revision_id: revisionId,
    });
    expect(writes(run.requests)[1]?.body).toMatchObject({
      secrets: [{ name: "KEY", value: "value-of-this-run" }],
    });
  });

  test("whatever the clocks say", async () => {
    const { clock, deploy, emulator, stored } = await startBehind(20 * 60);
    emulator.addFault(lost("POST"));

    const run = await deploy();

    expect(clock.elapsed()).toBeLessThan(60_000);
    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
  });

  test("once it is gone, if it is being deleted", async () => {
    const { deleting, deploy, emulator, stored } = await startScenario({ statusSeconds: 0 });
    const { id } = await deleting(20);
    const missing = { status: 200, body: { resources: [], offset: 0 } };
    emulator.addFault({ kind: "answer", match: { ...list, from: 1 }, ...missing });
    emulator.addFault(answer("POST", 500, { body: conflict }));

    const run = await deploy();

    expect(stored().id).not.toBe(id);
    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true", deployment_id: stored().id });
  });
});

test.each([
  ["secrets", { secrets: "KEY=corrected-value" }],
  ["resource_spec", { resource_spec: '{"cpu": 2}' }],
])("a revision of the same ref does not confirm a lost update with %s", async (_what, inputs) => {
  const { clock, deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  emulator.addFault(answer("PATCH", 502));
  clock.at(clock.elapsed() + 1500, () => void emulator.addConcurrentRevision(id, "main"));

  const run = await deploy(inputs);

  const [theirs] = stored().revisions;
  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("revision_id");
  expectError(run, theirs?.id, "may still appear");
});

describe("an unconfirmed write stays unconfirmed", () => {
  const refused = { status: 403, body: { detail: "The key was revoked" } };

  async function expectUnconfirmed({ deploy }: Scenario, ...facts: string[]): Promise<void> {
    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "A deployment named agent", ...facts);
  }

  test("if searches for a create are refused", async () => {
    const scenario = await startScenario();
    scenario.emulator.addFault(lost("POST"));
    scenario.emulator.addFault({ kind: "answer", match: { ...list, times: "always" }, ...refused });

    await expectUnconfirmed(scenario, "The key was revoked");
  });

  test("without a delay if there is no list of deployments", async () => {
    const scenario = await startScenario();
    const missing = { status: 404, body: { detail: "Not Found" } };
    const match = { ...list, from: 1, times: "always" } as const;
    scenario.emulator.addFault({ kind: "answer", match, ...missing });
    scenario.emulator.addFault(lost("POST"));

    await expectUnconfirmed(scenario);
    expect(scenario.clock.elapsed()).toBe(0);
  });

  test("if only another repository creates the name meanwhile", async () => {
    const scenario = await startScenario({ statusSeconds: 0 });
    const source_config = { ...defaultCreate.source_config, repo_url: "https://github.com/someone/else" };
    scenario.emulator.addFault(answer("POST", 502));
    scenario.clock.at(5_000, () =>
      scenario.send("POST /v2/deployments", { ...defaultCreate, source_config }),
    );

    await expectUnconfirmed(scenario);
  });
});
