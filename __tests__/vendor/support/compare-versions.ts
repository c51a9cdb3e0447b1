/** What a comparison reports of two versions of an agent on the vendor's own server, whatever its language. */
import { beforeAll, expect, test } from "@jest/globals";
import { changesOf } from "../../scenario/compare/support.ts";
import { expectError, type ScenarioRun, startScenario } from "../../support/scenario.ts";

/** Texts of the agent's code and what stands in their place. */
export type Replacements = Readonly<Record<string, string>>;

/** An agent with two graphs of one shape: `waits` and `idle` write a draft, and wait at `approve` until somebody resumes them. */
export interface ComparedAgent {
  /** Serves a version with these replacements, and returns its URL. */
  readonly serve: (replacements: Replacements) => Promise<string>;
  /** Renames `approve` to `review`. */
  readonly renamedNode: Replacements;
  readonly newNode: Replacements;
  /** Makes a property of the input required that was not there before. */
  readonly requiredInput: Replacements;
  /** The path of that property. */
  readonly requiredPath: string;
  /** Renames the key `draft` of the state. */
  readonly renamedKey: Replacements;
}

/** npm or pip installs the vendor's server. */
const installMs = 300_000;
const testMs = 120_000;

/** @throws if a text is not in the code */
export function replaceIn(code: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The graphs have no ${from}`);
    return text.replaceAll(from, to);
  }, code);
}

export async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return Object(await response.json());
}

/** Has a run of a graph wait in a thread of its own, and returns the thread's id. */
export async function waitingThread(url: string, graph: string): Promise<string> {
  const threadId = String((await post(`${url}/threads`, {})).thread_id);
  const run = { assistant_id: graph, input: { question: "Why?" } };
  expect(await post(`${url}/threads/${threadId}/runs/wait`, run)).toHaveProperty("__interrupt__");
  return threadId;
}

/** Compares the agent that is served at `after` with the one at `before`, by the check action. */
export async function compareVersions(before: string, after: string): Promise<ScenarioRun> {
  const { run } = await startScenario();
  return await run("check", { inputs: { deployment_url: after, compare_with_url: before } });
}

/** Tests what every language has in common. A thread of the graph `waits` waits in the version before. */
export function testComparison(agent: ComparedAgent): void {
  let before = "";
  let threadId = "";
  beforeAll(async () => {
    before = await agent.serve({});
    threadId = await waitingThread(before, "waits");
  }, installMs);
  const compareWith = async (replacements: Replacements) =>
    await compareVersions(before, await agent.serve(replacements));

  test(
    "a renamed node at which a thread waits breaks it, and one at which none waits is a note",
    async () => {
      const run = await compareWith(agent.renamedNode);

      expectError(run, "Node approve is missing from graph waits. 1 thread is waiting at it", threadId);
      expect(changesOf(run)).toMatchObject([
        { graph: "waits", kind: "node", breaking: true, path: "approve", threads: 1 },
        { graph: "idle", kind: "node", breaking: false, path: "approve", threads: 0 },
      ]);
    },
    testMs,
  );

  test(
    "a node that is new changes nothing, and everything was compared",
    async () => {
      const run = await compareWith(agent.newNode);

      expect(run.outputs).toMatchObject({ outcome: "passed", contract_changes: "[]" });
      expect(run.warnings).toEqual([]);
      expect(run.summary).toMatch(/\| ✅ \| comparison .*: no breaking change \|/);
    },
    testMs,
  );

  test(
    "a property of the input that is newly required breaks callers",
    async () => {
      const run = await compareWith(agent.requiredInput);

      expectError(run, "2 breaking changes");
      expect(changesOf(run)).toMatchObject([
        { graph: "idle", kind: "input", breaking: true, path: agent.requiredPath, threads: 0 },
        { graph: "waits", kind: "input", breaking: true, path: agent.requiredPath, threads: 0 },
      ]);
    },
    testMs,
  );

  test(
    "a renamed key of the state breaks the threads that wait, and is a note without any",
    async () => {
      const run = await compareWith(agent.renamedKey);

      expectError(
        run,
        "Graph waits, state: property draft was removed. 1 thread is waiting with this state",
        threadId,
      );
      expect(changesOf(run)).toMatchObject([
        { graph: "waits", kind: "state", breaking: true, path: "draft", threads: 1 },
        { graph: "idle", kind: "state", breaking: false, path: "draft", threads: 0 },
      ]);
    },
    testMs,
  );
}
