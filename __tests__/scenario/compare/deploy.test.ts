import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, requestLines, startScenario, writes } from "../../support/scenario.ts";
import {
  type CompareScenario,
  changesOf,
  drafts,
  object,
  readLines,
  renamed,
  startComparison,
  waitingAt,
} from "./support.ts";

const agentId = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";

test("a node that is gone while a thread waits at it fails the deploy, and is named everywhere", async () => {
  const scenario = await startComparison({ threads: waitingAt("approve", "write") });

  const run = await scenario.compare();

  expectError(run, "1 breaking change", "approve", "thread-1", "Keep what callers", "breaking_changes: warn");
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expect(changesOf(run)).toEqual([
    {
      graph: "agent",
      kind: "node",
      breaking: true,
      path: "approve",
      message: expect.stringMatching(
        /Node approve is missing from graph agent\. 1 thread is waiting at it: thread-1\. Keep/,
      ),
      threads: 1,
    },
  ]);
  expect(run.log).toContain('Compared with "my-agent"');
  expect(run.summary).toContain("### Compared with `my-agent`");
  expect(run.summary).toMatch(
    /\| 💥 \| Node `approve` is missing from graph `agent`\. 1 thread is waiting at it: `thread-1`/,
  );
});

test("an agent that keeps its contract passes, and both agents are only read", async () => {
  const scenario = await startComparison({ after: { agent: drafts }, threads: waitingAt("approve") });

  const run = await scenario.compare({ smoke_tests: "- { name: is well, request: GET /ok }" });

  expect(run.outputs).toMatchObject({ outcome: "deployed", contract_changes: "[]" });
  expect(run.warnings).toEqual([]);
  expect(run.summary).toMatch(/\| ✅ \| comparison .*: no breaking change \|/);
  const ofGraph = [`GET assistants/${agentId}/graph`, `GET assistants/${agentId}/schemas`];
  const graphs = ["POST assistants/search", "POST assistants/search", ...ofGraph];
  expect(readLines(scenario, "agent")).toEqual(graphs);
  expect(readLines(scenario, "my-agent")).toEqual([
    ...graphs,
    ...["POST threads/search", "POST threads/search", "POST threads/search"],
    "GET threads/thread-1/state",
  ]);
  const listed = scenario.emulator.requests.filter(({ path }) => path.endsWith("/threads/search"));
  const newest = { limit: 100, offset: 0, sort_by: "updated_at", sort_order: "desc" };
  expect(listed.map(({ body }) => body)).toEqual([
    { ...newest, status: "interrupted", select: ["thread_id", "metadata"] },
    { ...newest, status: "interrupted", select: ["thread_id", "metadata"], offset: 1 },
    { ...newest, status: "busy", select: ["thread_id", "metadata"] },
  ]);
  const read = scenario.emulator.requests.filter(({ path }) => path.startsWith("/live/"));
  expect(read.every(({ headers }) => headers["x-api-key"] === undefined)).toBe(true);
});

test("with breaking_changes: warn, a breaking change is a warning", async () => {
  const { compare } = await startComparison({ threads: waitingAt("approve") });

  const run = await compare({ breaking_changes: "warn" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([expect.stringMatching(/my-agent.*1 breaking change.*approve.*thread-1/)]);
  expect(changesOf(run)).toMatchObject([{ kind: "node", breaking: true }]);
  expect(run.infos.at(-1)).not.toContain("1 breaking change");
  expect(run.summary).toMatch(
    /^## ⚠️ .*\n\n[^|]* is live at .*`my-agent` ended with a warning: 1 breaking change\./,
  );
  expect(run.summary).toMatch(/\| ⚠️ \| comparison `my-agent`: 1 breaking change \| 0\.0 \|/);
  expect(run.summary).toContain("💥");
});

test("a node that is gone while no thread waits at it is a note", async () => {
  const { compare } = await startComparison({ threads: waitingAt("write") });

  const run = await compare();

  expect(run.outputs.outcome).toBe("deployed");
  expect(changesOf(run)).toMatchObject([{ kind: "node", breaking: false, path: "approve", threads: 0 }]);
  expect(run.summary).toMatch(/\| ✅ \| comparison .*: no breaking change \|/);
});

test("what breaks callers, readers and threads is listed before what is to be checked by hand and what is only a note", async () => {
  const string = { type: "string" };
  const after = {
    agent: {
      ...drafts,
      input: object({ question: string, topic: string }, "topic"),
      output: object({ answer: string }),
      state: object({ question: string, answer: string }),
      context: object({ user: string }),
    },
    other: {},
  };
  const { compare } = await startComparison({ after, threads: waitingAt("approve", "approve") });

  const run = await compare();

  expectError(run, "3 breaking changes, 1 to check by hand. The first: Graph agent, input: property topic");
  expect(run.summary).toContain("comparison `my-agent`: 3 breaking changes, 1 to check by hand |");
  expect(changesOf(run)).toMatchObject([
    { kind: "input", breaking: true, path: "topic", threads: 0 },
    { kind: "output", breaking: true, path: "answer", threads: 0 },
    { kind: "state", breaking: true, path: "draft", threads: 2 },
    { kind: "context", breaking: false, path: "" },
    { graph: "other", kind: "graph", breaking: false },
  ]);
});

test("changes of the same severity are in alphabetical order of their graphs, in whatever order an agent lists them", async () => {
  const changed = { ...drafts, output: object({ answer: { type: "string" } }) };
  const { compare } = await startComparison({
    before: { sort: drafts, reply: drafts },
    after: { write: drafts, sort: changed, reply: changed, check: drafts },
  });

  const run = await compare();

  expect(changesOf(run)).toMatchObject([
    { graph: "reply", kind: "output", breaking: true },
    { graph: "sort", kind: "output", breaking: true },
    { graph: "check", kind: "graph", breaking: false },
    { graph: "write", kind: "graph", breaking: false },
  ]);
});

test("a state property of a wider type is breaking while threads are waiting", async () => {
  const string = { type: "string" };
  const state = object({ question: { type: ["string", "null"] }, draft: string, answer: string });
  const { compare } = await startComparison({
    after: { agent: { ...drafts, state } },
    threads: waitingAt("approve"),
  });

  const run = await compare();

  expect(changesOf(run)).toEqual([
    {
      graph: "agent",
      kind: "state",
      breaking: true,
      path: "question",
      message:
        "Graph agent, state: property question now also allows null. 1 thread is waiting with this state: thread-1. Keep the former property and its values until no thread is waiting, or resume or delete each one first.",
      threads: 1,
    },
  ]);
});

test("rollback_on_failure applies to a breaking change", async () => {
  const scenario = await startComparison({ threads: waitingAt("approve") });
  const { revisionId } = await scenario.existing();

  const run = await scenario.compare({ rollback_on_failure: "true" });

  expectError(run, "approve", "Rolled back");
  expect(run.outputs.rolled_back_to).toBe(revisionId);
});

test("agent_headers go to both agents, and no other key", async () => {
  const scenario = await startComparison({ options: { agentKey: "agent-secret-key" } });

  const run = await scenario.compare({ agent_headers: "X-Api-Key: agent-secret-key" });

  expect(run.outputs.outcome).toBe("deployed");
  const read = scenario.emulator.requests.filter(({ path }) => /^\/live\/.*(assistants|threads)/.test(path));
  expect(new Set(read.map(({ headers }) => headers["x-api-key"]))).toEqual(new Set(["<redacted>"]));
  expect(read.every(({ headers }) => headers["x-tenant-id"] === undefined)).toBe(true);
});

test("a deployment to compare with can be given by its id", async () => {
  const scenario = await startComparison({ threads: waitingAt("approve") });

  const run = await scenario.compare({ compare_with: scenario.stored("my-agent").id });

  expectError(run, "approve");
});

test("a deployment to compare with is found by its id on a control plane without a list", async () => {
  const scenario = await startComparison({ threads: waitingAt("approve") });
  const { id } = scenario.stored("my-agent");
  scenario.emulator.addFault(
    answer({ method: "GET", path: "^/v2/deployments$", times: "always" }, 404, { body: {} }),
  );

  const run = await scenario.compare({ compare_with: id });

  expectError(run, "approve");
});

test("a deployment to compare with that does not exist is an error before the write, or a warning", async () => {
  const { compare, emulator } = await startComparison();

  const run = await compare({ compare_with: "other" });
  const warned = await compare({ compare_with: "other", breaking_changes: "warn" });

  expectError(run, "There is no deployment other", "compare_with");
  expect(writes(run.requests)).toEqual([]);
  expect(warned.outputs.outcome).toBe("deployed");
  expect(warned.outputs).not.toHaveProperty("contract_changes");
  expect(warned.warnings).toEqual([expect.stringContaining("There is no deployment other")]);
  expect(warned.warnings.join()).not.toContain("breaking_changes");
  expect(warned.summary).toMatch(/^## ⚠️ .*deployed, with a warning\n/);
  expect(emulator.deployments()).toHaveLength(2);
});

test("compare_with needs wait: true", async () => {
  const { compare } = await startComparison();

  const run = await compare({ wait: "false" });

  expectError(run, "compare_with", "wait: true");
  expect(run.requests).toEqual([]);
});

test("a dry run finds the deployment to compare with, and reads no agent", async () => {
  const scenario = await startComparison();

  const run = await scenario.compare({ dry_run: "true" });
  const missing = await scenario.compare({ dry_run: "true", compare_with: "other" });
  expect(run.outputs).toMatchObject({ outcome: "planned" });
  expect(run.outputs).not.toHaveProperty("contract_changes");
  expectError(missing, "There is no deployment other");
  expect(requestLines(run.requests).filter((line) => line.includes("/live/"))).toEqual([]);
});

/** Somebody deploys a revision of `agent` that is live at once. */
function deployForeign({ emulator, stored }: CompareScenario): void {
  emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
  emulator.addConcurrentRevision(stored().id, "theirs");
}

test("a revision that a newer one replaced before the comparison is superseded, and no agent is read", async () => {
  const scenario = await startComparison({ options: { statusSeconds: 5 }, threads: waitingAt("approve") });
  await scenario.existing();
  scenario.clock.at(3_000, () => deployForeign(scenario));

  const run = await scenario.compare({ rollback_on_failure: "true" });

  expect(run.outputs).toMatchObject({ outcome: "superseded" });
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
  expect(readLines(scenario, "my-agent")).toEqual([]);
});

test("a revision that a newer one replaced during the comparison is superseded, and not rolled back", async () => {
  const scenario = await startComparison({ threads: waitingAt("approve") });
  await scenario.existing();
  const { emulator, requested } = scenario;
  emulator.addFault({ kind: "delay", match: { path: "/threads/search$" }, milliseconds: 50 });

  const ended = scenario.compare({ rollback_on_failure: "true" });
  await requested("POST", /\/threads\/search$/);
  deployForeign(scenario);
  const run = await ended;

  expect(run.outputs).toMatchObject({ outcome: "superseded" });
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
});

test("without compare_with, no agent is read and the output is empty", async () => {
  const scenario = await startComparison();

  const run = await scenario.compare({ compare_with: "" });

  expect(run.outputs).not.toHaveProperty("contract_changes");
  expect(readLines(scenario, "agent")).toEqual([]);
});

test("the comparison waits for the checks, and is not made if one fails", async () => {
  const scenario = await startComparison();

  const run = await scenario.compare({
    smoke_tests: "- { name: is well, request: GET /ok, expect: { status: 404 } }",
  });

  expectError(run, "smoke test");
  expect(readLines(scenario, "my-agent")).toEqual([]);
  expect(run.summary).toContain("| ⏭️ | comparison `my-agent`: skipped (an earlier check failed) | |");
});

test("the standard platform compares too", async () => {
  const scenario = await startScenario({ statusSeconds: 0 });
  await scenario.existing("my-agent");
  scenario.emulator.addFault({ kind: "graphs", repo_ref: "next", graphs: { agent: renamed } });

  const run = await scenario.deploy({ repo_ref: "next", compare_with: "my-agent" });

  expectError(run, "breaking change");
  expect(changesOf(run)).toContainEqual(
    expect.objectContaining({ kind: "input", path: "messages", breaking: true }),
  );
});

test("with breaking_changes: warn, a new revision without a URL is a warning and is not rolled back", async () => {
  const scenario = await startComparison();
  await scenario.compare({ breaking_changes: "warn" });
  const match = { method: "GET", path: `^/v2/deployments/${scenario.stored().id}$` };
  scenario.emulator.addFault({ kind: "hide", match, fields: ["url", "custom_url"] });

  const run = await scenario.compare({
    breaking_changes: "warn",
    rollback_on_failure: "true",
    serving_check: "off",
  });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([
    expect.stringMatching(/ended with a warning: .*does not report the deployment's URL\. .* custom_url/),
  ]);
});
