import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import { expectError, type Inputs, passTimeDuringRequestsTo, startScenario } from "../../support/scenario.ts";
import { changesOf, drafts, servedBy, startComparison, startWithOwnAgent, waitingAt } from "./support.ts";

const search = "^/live/my-agent/assistants/search$";
const answer = (status: number, body: unknown, path = search): FaultRule => ({
  kind: "answer",
  match: { path, times: "always" },
  status,
  body,
  ...(status === 302 && { headers: { location: "https://login.example.com/?next=secret" } }),
});

async function runWith(faults: readonly FaultRule[], inputs: Inputs = {}) {
  const scenario = await startComparison({ threads: waitingAt("approve") });
  for (const fault of faults) scenario.emulator.addFault(fault);
  return await scenario.compare(inputs);
}

test.each(["warn", "fail"])(
  "a deployment that is not live yet has nothing to compare with (%s)",
  async (mode) => {
    const { deploy } = await startScenario({
      platform: "langsmith",
      statusSeconds: 0,
      failRefs: { broken: "BUILD_FAILED" },
    });
    await deploy({ name: "my-agent", repo_ref: "broken" });

    const run = await deploy({ name: "staging", compare_with: "my-agent", breaking_changes: mode });

    const shown = mode === "warn" ? run.warnings : run.errors;
    expect(run.outputs.outcome).toBe(mode === "warn" ? "deployed" : "failed");
    expect(shown).toContainEqual(
      expect.stringMatching(/Deployment my-agent has no URL yet, so there is nothing to compare with\./),
    );
    expect(run.log).not.toContain("could not be read");
  },
);

describe("an agent that can't be read", () => {
  test.each<[string, FaultRule, string]>([
    ["refuses without a key", answer(403, { detail: "Missing authentication headers" }), "agent_headers"],
    ["refuses a key", answer(401, { detail: "Invalid API key" }), "agent_headers"],
    ["hides its routes", answer(404, { detail: "Not Found" }), "agent_headers"],
    ["fails", answer(500, "Internal Server Error"), "500"],
    ["redirects to a login", answer(302, ""), "redirect"],
    ["is a page", answer(200, "<html>Sign in</html>"), "not what an agent server returns"],
    ["is something else", answer(200, { assistants: [] }), "not what an agent server returns"],
    ["has no graphs", answer(200, []), "no graphs"],
    ["breaks off", { kind: "cut", match: { path: search, times: "always" } }, "connection"],
    [
      "sends too much",
      { kind: "huge", match: { path: search, times: "always" }, bytes: 50_000_000 },
      "10 MB",
    ],
    ["does not show the new graphs", answer(403, {}, "^/live/agent/assistants/search$"), "the new revision"],
    ["does not show its threads", answer(403, {}, "/threads/search$"), "the waiting threads"],
    ["does not show the state of any thread", answer(500, {}, "/threads/.*/state$"), "the waiting threads"],
    [
      "shows nothing of its graphs",
      answer(500, {}, "^/live/my-agent/assistants/.*-.*/"),
      "could not be read",
    ],
  ])("closes the gate, and is a warning otherwise, if it %s", async (_what, fault, fact) => {
    const gate = await runWith([fault]);
    const warned = await runWith([fault], { breaking_changes: "warn" });

    expectError(gate, 'The comparison with "my-agent" failed:', fact, "breaking_changes: warn");
    expect(gate.outputs.outcome).toBe("failed");
    expect(warned.outputs.outcome).toBe("deployed");
    expect(warned.warnings).toEqual([expect.stringContaining(fact)]);
    expect(`${warned.log}${warned.summary}`).not.toMatch(/no breaking change/i);
    expect(warned.summary).toContain("### Compared with `my-agent`");
  });

  test("closes the gate after one request timeout if it never responds", async () => {
    const passRealTime = holdTimeouts();
    const scenario = await startComparison();
    scenario.emulator.addFault({ kind: "hang", match: { path: search, times: "always" } });

    const ended = scenario.compare();
    await scenario.requested("POST", /my-agent\/assistants\/search$/);
    passRealTime(30_000);

    expectError(await ended, "no complete response within 30 s");
  });

  test("sends more than 50 MB in all, counted in bytes", async () => {
    const graphs = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`graph-${index}`, drafts]));
    const scenario = await startComparison({ before: graphs, after: graphs });
    const schemas = { state_schema: { description: "é".repeat(4_500_000) } };
    scenario.emulator.addFault(answer(200, schemas, "^/live/my-agent/.*/schemas$"));

    const run = await scenario.compare({ breaking_changes: "warn" });

    expect(run.log).toContain("The agent's responses are larger than 50 MB together.");
  });

  test("may be starting: a 503 at first is retried", async () => {
    const fault = { kind: "answer", match: { path: search, times: 2 }, status: 503 } as const;

    const run = await runWith([fault]);

    expectError(run, "approve");
  });

  test("of a graph shows no schemas, which is not compared, with a warning", async () => {
    const run = await runWith([answer(500, "Internal Server Error", "^/live/my-agent/.*/schemas$")], {
      breaking_changes: "warn",
    });

    expect(changesOf(run)).toMatchObject([
      { kind: "node", breaking: true },
      { kind: "not compared", message: expect.stringContaining("schemas were not compared") },
    ]);
    expect(run.warnings).toEqual([
      expect.stringContaining("approve"),
      expect.stringMatching(/1 part could not be compared.*schemas failed with 500.*not a Zod schema/),
    ]);
  });

  test("that refuses xray shows its nodes without it", async () => {
    const graph = { nodes: ["write", "approve:ask", "approve:wait"] };
    const scenario = await startComparison({ before: { agent: graph }, after: { agent: graph } });
    const path = "^/live/my-agent/assistants/[^/]+/graph$";
    scenario.emulator.addFault({ kind: "answer", match: { path }, status: 422, body: { detail: "No xray" } });

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(changesOf(run)).not.toContainEqual(expect.objectContaining({ kind: "node" }));
  });
});

describe("a new revision whose nodes can't be read", () => {
  const noNodes = answer(403, {}, "^/live/agent/.*/graph$");

  test("closes the gate if threads wait on the graph, and is a warning otherwise", async () => {
    const gate = await runWith([noNodes]);
    const warned = await runWith([noNodes], { breaking_changes: "warn" });

    const fact = "the new revision's nodes could not be read, though threads are waiting on the graph";
    expectError(gate, fact, "403", "agent_headers", "breaking_changes: warn");
    expect(gate.outputs.outcome).toBe("failed");
    expect(warned.outputs.outcome).toBe("deployed");
    expect(warned.warnings[0]).toContain(fact);
    expect(`${warned.log}${warned.summary}`).not.toMatch(/no breaking change/i);
  });

  test("is not compared, with a warning, if no thread waits", async () => {
    const scenario = await startComparison();
    scenario.emulator.addFault(noNodes);

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining("the nodes were not compared")]);
  });
});

describe("a new input of agents that do not show which inputs are required", () => {
  const input = (properties: unknown, more: object = {}) => ({ type: "object", properties, ...more });
  const [question, tone] = [{ type: "string" }, { type: "string" }];

  test.each<[string, unknown, unknown, boolean]>([
    ["is not compared", input({ question }), input({ question, tone }), false],
    [
      "is not compared below a reference",
      { $ref: "#/$defs/Input", $defs: { Input: input({ question }) } },
      input({ question, tone }),
      false,
    ],
    [
      "is optional if it has a default",
      input({ question }),
      input({ question, tone: { ...tone, default: "" } }),
      true,
    ],
    [
      "is optional if none is required",
      input({ question }),
      input({ question, tone }, { required: [] }),
      true,
    ],
    [
      "is optional if another is required",
      input({ question }, { required: ["question"] }),
      input({ question, tone }),
      true,
    ],
  ])("%s", async (_what, before, after, isWhole) => {
    const scenario = await startComparison({
      before: { agent: { ...drafts, input: before } },
      after: { agent: { ...drafts, input: after } },
    });

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    const notCompared = {
      kind: "not compared",
      breaking: false,
      message: expect.stringMatching(
        /property tone of the input was not compared, because it is new.* says which inputs are required/,
      ),
    };
    expect(changesOf(run)).toMatchObject(isWhole ? [] : [notCompared]);
    expect(run.summary).toMatch(
      isWhole
        ? /^## ✅ /
        : /^## ⚠️ .*\n\nThis run's revision is live at .*not compared: the input schema of graph `agent`\)\.\n/,
    );
    expect(run.summary.includes("in what could be compared")).toBe(!isWhole);
    expect(run.summary.includes(": no breaking change |")).toBe(isWhole);
  });
});

describe("a comparison of nothing but the names of graphs", () => {
  test.each<[string, FaultRule[]]>([
    ["both agents hide their nodes", [answer(403, {}, "/graph$"), answer(200, {}, "/schemas$")]],
    [
      "both show an empty list of nodes",
      [answer(200, { nodes: [] }, "/graph$"), answer(200, {}, "/schemas$")],
    ],
    [
      "one hides what the other shows",
      [answer(403, {}, "^/live/my-agent/.*/graph$"), answer(403, {}, "^/live/agent/.*/schemas$")],
    ],
  ])("closes the gate, and is a warning otherwise, if %s", async (_title, faults) => {
    const runs = async (inputs: Inputs) => {
      const scenario = await startComparison();
      for (const fault of faults) scenario.emulator.addFault(fault);
      return await scenario.compare(inputs);
    };
    const gate = await runs({});
    const warned = await runs({ breaking_changes: "warn" });

    expectError(gate, "only the names of the graphs could be compared");
    expect(gate.outputs.outcome).toBe("failed");
    expect(warned.outputs.outcome).toBe("deployed");
    expect(warned.warnings[0]).toContain("only the names of the graphs could be compared");
    expect(`${warned.log}${warned.summary}`).not.toMatch(/no breaking change/i);
  });
});

describe("a thread that waits at a node that the new revision does not have", () => {
  const waitingOn = (graph_id: string) => ({
    "POST /threads/search": ({ status, offset = 0 }: { status?: string; offset?: number }) =>
      status === "interrupted" && offset === 0 ? [{ thread_id: "t1", status, metadata: { graph_id } }] : [],
    "GET /threads/t1/state": () => ({ next: ["approve"], tasks: [{ name: "approve" }] }),
  });
  const served = servedBy({ agent: { nodes: ["agent"] } });

  test.each<[string, "was removed" | "is missing", Record<string, () => unknown>]>([
    ["shows no nodes", "was removed", { "GET /assistants/0/graph": () => ({ nodes: [] }) }],
    ["shows other nodes", "is missing", { "GET /assistants/0/graph": () => ({ nodes: [{ id: "agent" }] }) }],
    ["does not show its nodes as a list", "was removed", { "GET /assistants/0/graph": () => ({}) }],
  ])("is found even if the agent to compare with %s", async (_title, what, routes) => {
    const { compare } = await startWithOwnAgent({ ...served, ...waitingOn("agent"), ...routes });

    const run = await compare();

    expectError(run, `Node approve ${what} from graph agent`, "1 thread is waiting at it: t1");
  });

  test.each<[string, unknown, boolean]>([
    ["counts", { next: [], tasks: [{ name: "approve" }] }, false],
    ["that is done does not count", { next: ["agent"], tasks: [{ name: "approve", result: {} }] }, true],
  ])("is found by its tasks: one %s", async (_title, state, succeeds) => {
    const waiting = { ...waitingOn("agent"), "GET /threads/t1/state": () => state };
    const { compare } = await startWithOwnAgent({ ...served, ...waiting });

    const run = await compare();

    expect(run.succeeded).toBe(succeeds);
    expect(run.log.includes("1 thread is waiting at it: t1")).toBe(!succeeds);
  });

  const task = { name: "agent" };
  test.each<[string, unknown]>([
    ["no nodes", {}],
    ["null as its nodes", { next: null, tasks: [] }],
    ["nodes without names", { next: [{}], tasks: [] }],
    ["a task without a name", { next: [], tasks: [{ id: "1" }] }],
    ["no nodes of a subgraph", { next: ["agent"], tasks: [{ ...task, state: {} }] }],
    ["a subgraph without its state", { next: ["agent"], tasks: [{ ...task, checkpoint: {}, state: null }] }],
  ])("closes the gate if its state shows %s", async (_title, state) => {
    const waiting = { ...waitingOn("agent"), "GET /threads/t1/state": () => state };
    const { compare } = await startWithOwnAgent({ ...served, ...waiting });

    const run = await compare();

    expectError(run, "the waiting threads could not be read");
  });

  test("is found although only another thread shows all of its nodes", async () => {
    const threads = ["t1", "t2"].map((thread_id) => ({ thread_id, metadata: { graph_id: "agent" } }));
    const { compare } = await startWithOwnAgent({
      ...served,
      "POST /threads/search": ({ offset }) => threads.slice(offset),
      "GET /threads/t1/state": () => ({ next: ["approve"], tasks: [{ name: "approve", checkpoint: {} }] }),
      "GET /threads/t2/state": () => ({ next: ["agent"] }),
    });

    const run = await compare();

    expectError(run, "Node approve is missing from graph agent", "1 thread is waiting at it: t1");
    expect(run.warnings).toEqual([expect.stringContaining("Read 1 of 2 waiting threads")]);
  });

  test.each([null, "paused"])("is found if its status is listed as %s", async (status) => {
    const listed = [{ thread_id: "t1", status, metadata: { graph_id: "agent" } }];
    const { compare } = await startWithOwnAgent({
      ...served,
      ...waitingOn("agent"),
      "POST /threads/search": ({ offset }) => listed.slice(offset),
    });

    const run = await compare();

    expectError(run, "Node approve is missing from graph agent", "1 thread is waiting at it: t1");
  });

  test("is found even if the agent to compare with does not list the thread's graph", async () => {
    const { compare } = await startWithOwnAgent({ ...served, ...waitingOn("former") });

    const run = await compare();

    expectError(run, "Graph former is missing", "1 thread is waiting on it: t1");
  });
});

describe("threads that are read in part", () => {
  test("200 of 1,240 are compared, with a warning that says how many", async () => {
    const threads = waitingAt(...Array.from({ length: 1240 }, () => "write"));
    const scenario = await startComparison({ threads });

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining("Read 200 of 1,240 waiting threads")]);
    expect(changesOf(run)).toMatchObject([
      { kind: "node", breaking: false, message: expect.stringContaining("None of the 200 threads") },
    ]);
    expect(run.summary).toContain("No breaking change in what could be compared.");
    expect(run.summary).toMatch(
      /^## ⚠️ .*\n\n.*not compared: all waiting threads \(`?200`? of `?1,240`? were read\)/,
    );
    expect(run.infos.at(-1)).toContain("not compared: all waiting threads (200 of 1,240 were read)");
    const states = scenario.emulator.requests.filter(({ path }) => path.endsWith("/state"));
    expect(states).toHaveLength(200);
  });

  test("without a count, only the newest 200 of each status are said to be read", async () => {
    const threads = waitingAt(...Array.from({ length: 300 }, () => "write"));
    const scenario = await startComparison({ threads });
    scenario.emulator.addFault(answer(404, { detail: "Not Found" }, "/threads/count$"));

    const run = await scenario.compare();

    expect(run.warnings).toEqual([expect.stringContaining("Read only 200 waiting threads")]);
  });

  test("busy threads count too, and each thread once", async () => {
    const threads: ReturnType<typeof waitingAt> = [
      { thread_id: "one", status: "busy", next: ["approve"] },
      { thread_id: "two", next: ["approve"] },
      { thread_id: "three", status: "idle", next: ["approve"] },
    ];
    const scenario = await startComparison({ threads });

    const run = await scenario.compare();

    expectError(run, "2 threads are waiting at it: two and one");
  });

  const idle = Array.from({ length: 60 }, (_, index) => ({ thread_id: `idle-${index}`, status: "idle" }));
  const waiting = { thread_id: "waiting", status: "interrupted", metadata: { graph_id: "agent" } };
  const servesIgnored = servedBy({ agent: { nodes: ["gone"] } });

  test("a thread that waits is found behind pages of other statuses", async () => {
    const { compare } = await startWithOwnAgent({
      ...servesIgnored,
      "POST /threads/search": ({ offset = 0 }) => [...idle, waiting].slice(offset, offset + 50),
      "GET /threads/waiting/state": () => ({ next: ["gone"], tasks: [] }),
    });

    const run = await compare();

    expectError(run, "Node gone was removed from graph agent", "1 thread is waiting at it: waiting");
  });

  test("a list of threads that only repeats itself is said to be read in part", async () => {
    const { compare } = await startWithOwnAgent({
      ...servesIgnored,
      "POST /threads/search": () => [waiting, ...idle].slice(0, 50),
      "GET /threads/waiting/state": () => ({ next: [], tasks: [] }),
    });

    const run = await compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining("Read only 1 waiting thread.")]);
  });

  test("a thread that is gone meanwhile does not wait", async () => {
    let searches = 0;
    const { compare } = await startWithOwnAgent({
      ...servedBy({ agent: { nodes: ["agent"] } }),
      "POST /threads/search": ({ status }) => {
        if (status === "interrupted") searches += 1;
        return searches === 1 && status === "interrupted"
          ? [{ thread_id: "gone", metadata: { graph_id: "agent" } }]
          : [];
      },
    });

    const run = await compare({ breaking_changes: "warn" });

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([]);
  });

  test("a thread that is listed, but whose state is not found, is not gone", async () => {
    const run = await runWith([answer(404, { detail: "Not Found" }, "/threads/.*/state$")]);

    expectError(run, "the waiting threads", "404");
  });

  test("one whose state can't be read is counted", async () => {
    const scenario = await startComparison({ threads: waitingAt("write", "write") });
    scenario.emulator.addFault(answer(500, {}, "/threads/thread-2/state$"));

    const run = await scenario.compare();

    expect(run.warnings).toEqual([expect.stringContaining("Read 1 of 2 waiting threads")]);
  });

  test("a thread that waits in a subgraph is found there", async () => {
    const before = { agent: { ...drafts, nodes: ["write", "approve:ask", "approve:wait"] } };
    const after = { agent: { ...drafts, nodes: ["write", "approve:wait"] } };
    const scenario = await startComparison({ before, after, threads: waitingAt("approve:ask") });

    const run = await scenario.compare();

    expectError(run, "Node approve:ask", "thread-1");
  });
});

test("all requests together take at most a minute, and what was read until then is compared", async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `thread-${index}`);
  const slow: { pass(seconds: number): Promise<void> } = { pass: async () => {} };
  const { compare, scenario, agent } = await startWithOwnAgent({
    ...servedBy({ agent: { nodes: ["agent"] } }),
    "POST /threads/search": ({ status, offset = 0 }) =>
      status === "busy" || offset > 0
        ? []
        : ids.map((thread_id) => ({ thread_id, metadata: { graph_id: "agent" } })),
    "GET /threads": async () => {
      await slow.pass(25);
      return { next: ["agent"], tasks: [] };
    },
  });
  passTimeDuringRequestsTo(agent);
  slow.pass = scenario.pass;

  const run = await compare({ breaking_changes: "warn" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([expect.stringMatching(/Read [12]?\d of 30 waiting threads/)]);
});
