import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError } from "../../support/scenario.ts";
import { changesOf, readLines, renamed, startComparison, waitingAt } from "./support.ts";

/** A deployment `agent`, live from the ref `main`, with a thread that waits. */
async function startWithAgent() {
  const scenario = await startComparison();
  const { id, revisionId } = await scenario.existing();
  scenario.emulator.addFault({ kind: "threads", deployment: "agent", threads: waitingAt("approve") });
  return { ...scenario, id, revisionId };
}

test("previous compares with what the deployment served before the write", async () => {
  const scenario = await startWithAgent();

  const run = await scenario.compare({ compare_with: "previous" });

  expectError(run, "approve", "1 thread is waiting");
  expect(changesOf(run)).toMatchObject([{ kind: "node", breaking: true, threads: 1 }]);
  expect(run.summary).toContain("### Compared with the previous revision");
  const lines = scenario.emulator.requests.map(({ method, path }) => `${method} ${path}`);
  const write = lines.findIndex((line) => /^(POST|PATCH) \/v2\/deployments\//.test(line));
  const state = lines.findIndex((line) => line.endsWith("/threads/thread-1/state"));
  expect(state).toBeGreaterThan(0);
  expect(write).toBeGreaterThan(state);
});

test.each(["name", "id"] as const)("its own %s means the same as previous", async (kind) => {
  const scenario = await startWithAgent();

  const run = await scenario.compare({ compare_with: kind === "name" ? "agent" : scenario.id });

  expectError(run, "approve");
  expect(readLines(scenario, "agent").filter((line) => line === "POST threads/search")).toHaveLength(3);
});

test.each([
  ["fail", "failed"],
  ["warn", "deployed"],
])(
  "with breaking_changes: %s, previous that another run replaced before the write is %s",
  async (mode, outcome) => {
    const scenario = await startWithAgent();
    const { emulator, id, requested } = scenario;
    emulator.addFault({ kind: "graphs", repo_ref: "theirs", graphs: { agent: renamed } });
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
    emulator.addFault({ kind: "delay", match: { path: "/threads/thread-1/state$" }, milliseconds: 50 });

    const ended = scenario.compare({ compare_with: "previous", breaking_changes: mode });
    await requested("GET", /\/threads\/thread-1\/state$/);
    emulator.addConcurrentRevision(id, "theirs");
    const run = await ended;

    expect(run.outputs).toMatchObject({ outcome, contract_changes: "[]" });
    expect([...run.errors, ...run.warnings]).toEqual([
      expect.stringMatching(
        `Revision .* was live when this run deployed, but revision ${scenario.revisionId} was live when the run read`,
      ),
    ]);
    expect(`${run.log}${run.summary}`).not.toMatch(/no breaking change/i);
  },
);

test("previous closes the gate if a deployment that was not found is live when it is updated", async () => {
  const scenario = await startWithAgent();
  scenario.emulator.addFault(
    answer("GET ^/v2/deployments$", 200, { body: { resources: [], offset: 0 }, times: 1 }),
  );

  const run = await scenario.compare({ compare_with: "previous" });

  expectError(
    run,
    `Revision ${scenario.revisionId} was live when this run deployed, but no revision was live`,
  );
});

test("previous of a first deployment is a notice", async () => {
  const scenario = await startComparison();

  const run = await scenario.compare({ compare_with: "previous" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", contract_changes: "[]" });
  expect(run.notices).toEqual([expect.stringContaining("the deployment served nothing before")]);
  expect(run.summary).toContain("comparison `previous`: skipped (nothing to compare with)");
  expect(run.warnings).toEqual([]);
});

test("previous is what is served, even if the platform shows no live revision", async () => {
  const scenario = await startWithAgent();
  const { emulator, id, stored } = scenario;
  const { id: _id, ...shown } = stored();
  const body = { ...shown, id, active_revision_id: null };
  for (const [path, sent] of [
    ["^/v2/deployments$", { resources: [body], offset: 0 }],
    [`^/v2/deployments/${id}$`, body],
  ] as const) {
    emulator.addFault({ kind: "answer", match: { method: "GET", path, times: 2 }, status: 200, body: sent });
  }

  const run = await scenario.compare({ compare_with: "previous" });

  expectError(run, "Node approve was removed from graph agent", "1 thread is waiting");
  expect(run.outputs.previous_revision_id).toBe(scenario.revisionId);
});

test("previous of a deployment whose first revision failed is a notice", async () => {
  const scenario = await startComparison();
  const removeFault = scenario.emulator.addFault({
    kind: "statuses",
    sequence: [{ status: "BUILD_FAILED" }],
  });
  await scenario.compare({ compare_with: "previous" });
  removeFault();

  const run = await scenario.compare({ compare_with: "previous" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", contract_changes: "[]" });
  expect(run.notices).toEqual([expect.stringContaining("the deployment served nothing before")]);
});

test("an agent that can't be read before the write closes the gate", async () => {
  const scenario = await startWithAgent();
  const { emulator } = scenario;
  emulator.addFault(
    answer("/assistants/search$", 403, { body: { detail: "Missing authentication headers" }, times: 1 }),
  );

  const run = await scenario.compare({ compare_with: "previous" });

  expectError(run, "403", "Missing authentication headers", "agent_headers");
});

test("a rollback compares what it makes live again with what was live before it", async () => {
  const scenario = await startWithAgent();
  const { id, startAction, send } = scenario;
  await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "next" } });

  const inputs = { platform: "langsmith", name: "agent", compare_with: "previous" };
  const noted = await startAction("rollback", inputs).ended;

  expect(noted.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: scenario.revisionId });
  expect(changesOf(noted)).toMatchObject([{ kind: "node", path: "review", breaking: false }]);
});

test.each([
  ["warn", "deployed", "⚠️"],
  ["fail", "failed", "❌"],
])(
  "with breaking_changes: %s, a rollback that strands a thread is %s, marked %s",
  async (mode, outcome, mark) => {
    const scenario = await startComparison();
    const { emulator, startAction, send } = scenario;
    const { id, revisionId } = await scenario.existing();
    await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "next" } });
    emulator.addFault({ kind: "threads", deployment: "agent", threads: waitingAt("review") });

    const inputs = { platform: "langsmith", name: "agent", compare_with: "previous", breaking_changes: mode };
    const run = await startAction("rollback", inputs).ended;

    expect(run.outputs).toMatchObject({ outcome, rolled_back_to: revisionId });
    expect([...run.warnings, ...run.errors]).toEqual([expect.stringContaining("review")]);
    expect(run.summary).toMatch(new RegExp(`^## ${mark} `));
    expect(run.summary).toContain(`| ${mark} | comparison \`previous\`: 1 breaking change |`);
    expect(changesOf(run)).toMatchObject([{ kind: "node", path: "review", breaking: true, threads: 1 }]);
  },
);

test("a rollback compares with nothing but previous", async () => {
  const { startAction } = await startComparison();

  const run = await startAction("rollback", { name: "my-agent", compare_with: "other" }).ended;

  expectError(run, "compare_with", "previous");
});

test("without compare_with, a rollback reads no agent", async () => {
  const scenario = await startWithAgent();
  await scenario.send(`PATCH /v2/deployments/${scenario.id}`, {
    source_revision_config: { repo_ref: "next" },
  });

  const run = await scenario.startAction("rollback", { platform: "langsmith", name: "agent" }).ended;

  expect(run.outputs).not.toHaveProperty("contract_changes");
  expect(readLines(scenario, "agent")).toEqual([]);
});

test("a revision that becomes live while a rollback reads the agent is not taken for the rollback's", async () => {
  const scenario = await startWithAgent();
  const { id, emulator, startAction, send, stored, requested } = scenario;
  await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "next" } });
  const search = "^/live/agent/assistants/search$";
  emulator.addFault({ kind: "delay", match: { path: search }, milliseconds: 50 });
  emulator.addFault({ kind: "hide", match: { path: "/redeploy$" }, fields: ["latest_revision_id"] });

  const started = startAction("rollback", {
    platform: "langsmith",
    name: "agent",
    compare_with: "previous",
    revision_id: scenario.revisionId,
  });
  await requested("POST", new RegExp(search));
  emulator.addConcurrentRevision(id, "main");
  const run = await started.ended;

  const [ours, foreign] = stored().revisions;
  expect(run.outputs.revision_id).toBe(ours?.id);
  expect(run.outputs.revision_id).not.toBe(foreign?.id);
});

test("a rollback does not compare with a revision that another one replaced while it was read", async () => {
  const scenario = await startWithAgent();
  const { id, emulator, startAction, send, requested, revisionId } = scenario;
  await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "next" } });
  emulator.addFault({ kind: "delay", match: { path: "/threads/thread-1/state$" }, milliseconds: 50 });
  const inputs = { platform: "langsmith", name: "agent", revision_id: revisionId, compare_with: "previous" };

  const { ended } = startAction("rollback", { ...inputs, breaking_changes: "fail" });
  await requested("GET", /\/threads\/thread-1\/state$/);
  await send(`PATCH /v2/deployments/${id}`, { source_revision_config: { repo_ref: "main" } });
  const run = await ended;

  expectError(run, "was live when this run deployed, but revision");
});
