import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, requestLines, writes } from "../../support/scenario.ts";
import { changesOf, readLines, startComparison, waitingAt } from "./support.ts";

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
  expect(run.summary).toContain("### Compared with `previous`");
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

test.each(["previous", "agent"])(
  "%s is compared too if the deployment was found only when its create was refused",
  async (compare_with) => {
    const scenario = await startWithAgent();
    scenario.emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: [] } }));

    const run = await scenario.compare({ compare_with });

    expectError(run, "approve");
    expect(requestLines(writes(run.requests))[0]).toBe("POST /v2/deployments 409");
  },
);

test("another deployment is compared with one that was found only when its create was refused", async () => {
  const scenario = await startWithAgent();
  scenario.emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: [] } }));

  const run = await scenario.compare({});

  expect(run.outputs).toHaveProperty("contract_changes");
  expect(requestLines(writes(run.requests))[0]).toBe("POST /v2/deployments 409");
});

test.each(["previous", "agent"])("%s of a first deployment is a notice", async (compare_with) => {
  const scenario = await startComparison();

  const run = await scenario.compare({ compare_with });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.outputs).not.toHaveProperty("contract_changes");
  expect(run.notices).toEqual([expect.stringContaining("no deployment was found before")]);
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

  expectError(run, "Node approve is missing from graph agent", "1 thread is waiting");
  expect(run.outputs.previous_revision_id).toBe(scenario.revisionId);
});

test.each([
  ["shows", []],
  ["never shows", ["active_revision_id"]],
])(
  "previous of a deployment whose first revision failed is a notice on a platform that %s which one is live",
  async (_what, fields) => {
    const scenario = await startComparison();
    scenario.emulator.addFault({ kind: "hide", fields });
    const removeFault = scenario.emulator.addFault({
      kind: "statuses",
      sequence: [{ status: "BUILD_FAILED" }],
    });
    await scenario.compare({ compare_with: "previous" });
    removeFault();

    const run = await scenario.compare({ compare_with: "previous" });

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.notices).toEqual([expect.stringContaining("the deployment served nothing before")]);
  },
);

test("an agent that can't be read before the write closes the gate", async () => {
  const scenario = await startWithAgent();
  const { emulator } = scenario;
  emulator.addFault(
    answer("/assistants/search$", 403, { body: { detail: "Missing authentication headers" }, times: 1 }),
  );

  const run = await scenario.compare({ compare_with: "previous" });

  expectError(run, "403", "Missing authentication headers", "agent_headers");
});

test.each(["false", "true"])(
  "an agent without a URL closes the gate before the write (dry_run: %s)",
  async (dry_run) => {
    const scenario = await startWithAgent();
    scenario.emulator.addFault({ kind: "hide", match: { method: "GET" }, fields: ["url", "custom_url"] });

    const run = await scenario.compare({ compare_with: "previous", dry_run });

    expectError(run, "The previous revision", "could not be read", "URL");
    expect(writes(run.requests)).toEqual([]);
  },
);
