import { setTimeout as realTime } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { assistantId } from "../../../emulator/agent/simulated-graph.ts";
import type { FaultRule } from "../../../emulator/index.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  expectError,
  type Inputs,
  passTimeDuringRequestsTo,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import {
  changesOf,
  drafts,
  readLines,
  servedBy,
  startComparison,
  startWithOwnAgent,
  waitingAt,
} from "./support.ts";

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
  },
);

describe("an agent that can't be read", () => {
  test.each<[string, FaultRule, string]>([
    ["refuses without a key", answer(403, { detail: "Missing authentication headers" }), "agent_headers"],
    ["refuses a key", answer(401, { detail: "Invalid API key" }), "agent_headers"],
    ["hides its routes", answer(404, { detail: "Not Found" }), "agent_headers"],
    ["fails", answer(500, "Internal Server Error"), "500"],
    ["redirects to a login", answer(302, ""), "is its base URL"],
    ["is a page", answer(200, "<html>Sign in</html>"), "the body is not JSON"],
    ["is something else", answer(200, { assistants: [] }), "not what the API describes"],
    ["has no graphs", answer(200, []), "no graphs"],
    [
      "names an id that leads elsewhere",
      answer(200, [{ assistant_id: "..", graph_id: "agent" }]),
      "assistant_id",
    ],
    ["breaks off", { kind: "cut", match: { path: search, times: "always" } }, "connection"],
    ["does not show the new graphs", answer(403, {}, "^/live/agent/assistants/search$"), "The new version"],
    ["does not show its threads", answer(403, {}, "/threads/search$"), "waiting threads could not be read"],
    [
      "does not show the state of any thread",
      answer(500, {}, "/threads/.*/state$"),
      "waiting threads could not be read",
    ],
    [
      "shows nothing of its graphs",
      answer(500, {}, "^/live/my-agent/assistants/.*-.*/"),
      "could not be read",
    ],
  ])("closes the gate if it %s", async (_what, fault, fact) => {
    const gate = await runWith([fault]);

    expectError(gate, 'The comparison with "my-agent" failed:', fact);
    expect(gate.outputs.outcome).toBe("failed");
  });

  test.each<[string, FaultRule, string]>([
    ["it fails", answer(500, "Internal Server Error"), "500"],
    [
      "it does not show its threads",
      answer(403, {}, "/threads/search$"),
      "waiting threads could not be read",
    ],
    ["it hides its nodes", answer(403, {}, "/graph$"), "could not be read"],
  ])("is a warning with breaking_changes: warn if %s", async (_what, fault, fact) => {
    const run = await runWith([fault], { breaking_changes: "warn" });

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining(fact)]);
    expect(`${run.log}${run.summary}`).not.toMatch(/no breaking change/i);
    expect(run.summary).toMatch(/^## ⚠️ /);
  });

  test("closes the gate if it never responds", async () => {
    const passRealTime = holdTimeouts();
    const scenario = await startComparison();
    scenario.emulator.addFault({ kind: "hang", match: { path: search, times: "always" } });

    const ended = scenario.compare();
    // Virtual time does not pass during requests, so it has time for all attempts.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await scenario.until(() => readLines(scenario, "my-agent").length === attempt);
      passRealTime(30_000);
    }

    expectError(await ended, "it is read for at most 30 s", "responds slowly");
  });

  test.each([search, "/threads/search$", "/threads/.*/state$", "/graph$"])(
    "may be starting: a 503 of %s is retried",
    async (path) => {
      const fault = { kind: "answer", match: { path, times: 2 }, status: 503 } as const;

      const run = await runWith([fault]);

      expectError(run, "approve");
    },
  );

  test("of a graph shows no schemas, which is a warning beside what was found", async () => {
    const run = await runWith([answer(500, "Internal Server Error", "^/live/my-agent/.*/schemas$")], {
      breaking_changes: "warn",
    });

    expect(changesOf(run)).toMatchObject([{ kind: "node", breaking: true }]);
    expect(run.warnings).toEqual([
      expect.stringMatching(
        /1 breaking change, not everything could be read\. Node approve .*The schemas of graph agent could not be compared: the agent to compare with did not show them\. .* failed with 500/,
      ),
    ]);
  });

  test.each([
    [400, 2],
    [403, 1],
    [404, 2],
    [422, 2],
    [500, 1],
  ])("that responds with %i to xray is asked for nodes %i times", async (status, times) => {
    const scenario = await startComparison({ after: { agent: drafts } });
    const match = { path: "^/live/agent/.*/graph$", times: "always" } as const;
    scenario.emulator.addFault({ kind: "answer", match, status });

    await scenario.compare({ breaking_changes: "warn" });

    const lines = readLines(scenario, "agent");
    expect(lines.filter((line) => line.endsWith("/graph"))).toHaveLength(times);
  });

  test("that shows no node at all, not even its start, was not read", async () => {
    const fault = { match: { path: "^/live/my-agent/assistants/[^/]+/graph$", times: "always" } } as const;

    const run = await runWith([{ kind: "answer", ...fault, status: 200, body: { nodes: [], edges: [] } }]);

    expectError(run, "The agent to compare with could not be read", "nodes is not what the API describes");
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

test("what closes the gate is named before what neither agent shows, and the log names the rest", async () => {
  const graphs = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, drafts]));
  const scenario = await startComparison({ before: graphs, after: graphs });
  const schemasOf = (agent: string, names: string[]) =>
    names.map((name) => `^/live/${agent}/assistants/${assistantId(name)}/schemas$`);
  for (const path of [...schemasOf("agent", ["a", "b", "c", "d"]), ...schemasOf("my-agent", ["a", "b", "c"])])
    scenario.emulator.addFault(answer(500, "Internal Server Error", path));

  const run = await scenario.compare();

  expectError(run, "The first: The schemas of graph d could not be compared");
  expect(run.infos).toContainEqual(expect.stringMatching(/^The schemas of graph c could not be compared/));
});

describe("an agent of which no nodes can be read", () => {
  test.each<[string, FaultRule[]]>([
    ["the new revision hides them", [answer(403, {}, "^/live/agent/.*/graph$")]],
    ["both hide them", [answer(403, {}, "/graph$"), answer(200, {}, "/schemas$")]],
  ])("closes the gate if %s", async (_title, faults) => {
    const gate = await runWith(faults);

    expectError(gate, "could not be read", "/graph", "agent_headers");
    expect(gate.outputs.outcome).toBe("failed");
  });
});

describe("a graph that is in the database but not in the code any more", () => {
  const removed = assistantId("former");
  const graphs = { agent: drafts, former: drafts };
  const missing = (agent: string, part: string) =>
    answer(404, { detail: 'Graph "former" not found' }, `^/live/${agent}/assistants/${removed}/${part}$`);

  async function compareWith(faults: readonly FaultRule[]) {
    const threads = [{ thread_id: "thread-1", graph_id: "former", next: ["approve"] }];
    const scenario = await startComparison({ before: graphs, after: graphs, threads });
    for (const fault of faults) scenario.emulator.addFault(fault);
    return await scenario.compare();
  }

  test("is missing from the new revision, although its assistant is listed", async () => {
    const run = await compareWith([missing("agent", "(graph|schemas)")]);

    expectError(run, "Graph former is missing", "1 thread is waiting on it: thread-1");
    expect(changesOf(run)).toMatchObject([{ graph: "former", kind: "graph", breaking: true, threads: 1 }]);
  });

  test.each<[string, FaultRule, RegExp]>([
    [
      "its nodes are missing and its schemas are shown",
      missing("agent", "graph"),
      /nodes of graph former could not be compared/,
    ],
    [
      "neither its nodes nor its schemas can be read",
      answer(500, {}, `^/live/agent/assistants/${removed}/(graph|schemas)$`),
      /nodes of graph former .* schemas of graph former/s,
    ],
  ])("closes the gate if %s, because the agent to compare with shows them", async (_what, fault, gap) => {
    const run = await compareWith([fault]);

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "breaking_changes: warn");
    expect(run.log).toMatch(gap);
  });

  test("does not hide why no other graph can be read", async () => {
    const run = await compareWith([
      missing("agent", "(graph|schemas)"),
      answer(503, { detail: "starting" }, `^/live/agent/assistants/(?!${removed}).*/graph$`),
    ]);

    expectError(run, "The new version could not be read", 'failed with 503: "starting"');
  });

  test("is not missed if neither agent has it and no thread waits on it", async () => {
    const scenario = await startComparison({ before: graphs, after: graphs });
    for (const name of ["agent", "my-agent"]) scenario.emulator.addFault(missing(name, "(graph|schemas)"));

    const run = await scenario.compare();

    expect(run.outputs).toMatchObject({ outcome: "deployed", contract_changes: "[]" });
    expect(run.warnings).toEqual([]);
  });
});

test("where a graph and its subgraphs start and end are no nodes", async () => {
  const nodes = ["__start__", "agent", "__end__", "former:__start__", "former:__end__"];
  const { compare } = await startWithOwnAgent(servedBy({ agent: { nodes } }));

  const run = await compare();

  expect(changesOf(run)).not.toContainEqual(expect.objectContaining({ kind: "node" }));
});

describe("a new input of agents that do not show which inputs are required", () => {
  const input = (properties: unknown, more: object = {}) => ({ type: "object", properties, ...more });
  const [question, tone] = [{ type: "string" }, { type: "string" }];

  test.each<[string, unknown, unknown, boolean]>([
    ["is to be checked by hand", input({ question }), input({ question, tone }), false],
    [
      "is to be checked by hand below a reference",
      { $ref: "#/$defs/Input", $defs: { Input: input({ question }) } },
      input({ question, tone }),
      false,
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
    const byHand = {
      kind: "input",
      breaking: false,
      path: "tone",
      message: expect.stringMatching(/neither agent reports which inputs are required\. Check it by hand\./),
    };
    expect(changesOf(run)).toMatchObject(isWhole ? [] : [byHand]);
    expect(run.summary).toContain(isWhole ? ": no breaking change |" : ": 1 to check by hand |");
    expect(run.warnings).toEqual(
      isWhole ? [] : [expect.stringContaining("with a warning: 1 to check by hand")],
    );
  });
});

describe("a thread that waits at a node that the new revision does not have", () => {
  const waitingOn = (graph_id: string) => ({
    "POST /threads/search": ({ status, offset = 0 }: { status?: string; offset?: number }) =>
      status === "interrupted" && offset === 0 ? [{ thread_id: "t1", status, metadata: { graph_id } }] : [],
    "GET /threads/t1/state": () => ({ next: ["approve"], tasks: [{ name: "approve" }] }),
  });
  const served = servedBy({ agent: { nodes: ["agent", "approve"] } });

  test.each(["agent", "former"])(
    "does not count if the agent to compare with lacks it too: graph %s",
    async (graph) => {
      const both = servedBy({ agent: { nodes: ["agent"] } });
      const { compare } = await startWithOwnAgent({ ...both, ...waitingOn(graph) });

      const run = await compare();

      expect(run.outputs.outcome).toBe("deployed");
      expect(run.log).not.toContain("is missing");
    },
  );

  test.each<[string, unknown, boolean]>([
    ["counts", { next: [], tasks: [{ name: "approve" }] }, false],
    ["without a result counts", { next: [], tasks: [{ name: "approve", result: null }] }, false],
    ["that is done does not count", { next: ["agent"], tasks: [{ name: "approve", result: {} }] }, true],
  ])("is found by its tasks: one %s", async (_title, state, succeeds) => {
    const waiting = { ...waitingOn("agent"), "GET /threads/t1/state": () => state };
    const { compare } = await startWithOwnAgent({ ...served, ...waiting });

    const run = await compare();

    expect(run.succeeded).toBe(succeeds);
    expect(run.log.includes("1 thread is waiting at it: t1")).toBe(!succeeds);
  });

  test.each<[string, unknown]>([
    ["no nodes", {}],
    ["null as its nodes", { next: null, tasks: [] }],
    ["nodes without names", { next: [{}], tasks: [] }],
    ["a task without a name", { next: [], tasks: [{ id: "1" }] }],
    ["no nodes of a subgraph", { next: ["agent"], tasks: [{ name: "agent", state: {} }] }],
  ])("closes the gate if its state shows %s", async (_title, state) => {
    const waiting = { ...waitingOn("agent"), "GET /threads/t1/state": () => state };
    const { compare } = await startWithOwnAgent({ ...served, ...waiting });

    const run = await compare();

    expectError(run, "waiting threads could not be read");
  });
});

describe("threads that are read in part", () => {
  test("the newest 200 are compared, with a warning that says so", async () => {
    const threads = waitingAt(...Array.from({ length: 1240 }, () => "write"));
    const scenario = await startComparison({ threads });

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringContaining("Read only the newest 200 waiting threads")]);
    expect(changesOf(run)).toMatchObject([
      {
        kind: "node",
        breaking: false,
        message: expect.stringContaining("No thread that was read is waiting"),
      },
    ]);
    expect(run.summary).toMatch(
      /^## ⚠️ .*\n\n[^|]*not everything could be read\. Read only the newest 200 waiting threads/,
    );
    const states = scenario.emulator.requests.filter(({ path }) => path.endsWith("/state"));
    expect(states).toHaveLength(200);
  });

  test.each([
    [199, false],
    [230, true],
  ])("pages that are smaller than asked for are all read: %i threads", async (number, hasOlder) => {
    const threads = Array.from({ length: number }, (_, index) => ({
      thread_id: `t${index}`,
      metadata: { graph_id: "agent" },
    }));
    const { compare } = await startWithOwnAgent({
      ...servedBy({ agent: { nodes: ["agent"] } }),
      "POST /threads/search": ({ status, offset = 0 }) =>
        status === "interrupted" ? threads.slice(offset, offset + 50) : [],
      "GET /threads": () => ({ next: ["agent"], tasks: [] }),
    });

    const run = await compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.summary.includes("Read only the newest 200 waiting threads")).toBe(hasOlder);
  });

  test("graphs in pages that are smaller than asked for are all read", async () => {
    const served = servedBy(Object.fromEntries(["a", "b", "c"].map((graph) => [graph, { nodes: ["x"] }])));
    const search = "POST /assistants/search";
    const inPages = (body: { readonly offset?: number }) => {
      const rest = served[search]?.(body);
      return Array.isArray(rest) ? rest.slice(0, 2) : rest;
    };
    const { compare } = await startWithOwnAgent({ ...served, [search]: inPages });

    const run = await compare({ breaking_changes: "warn" });

    expect(run.warnings).toEqual([expect.stringContaining("3 breaking changes")]);
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

  test("one whose state can't be read is counted", async () => {
    const scenario = await startComparison({ threads: waitingAt("write", "write") });
    scenario.emulator.addFault(answer(500, {}, "/threads/thread-2/state$"));

    const run = await scenario.compare();

    expect(run.warnings).toEqual([expect.stringContaining("Read 1 of 2 waiting threads")]);
  });

  test.each<[string, unknown]>([
    ["no metadata", null],
    ["metadata without a graph", {}],
    ["a graph that is no text", { graph_id: 7 }],
  ])("one that shows %s is counted, and closes the gate if there is no other", async (_what, metadata) => {
    const compareWith = async (...others: object[]) => {
      const { compare } = await startWithOwnAgent({
        ...servedBy({ agent: { nodes: ["agent"] } }),
        "POST /threads/search": () => [{ thread_id: "t1", metadata }, ...others],
        "GET /threads/t2/state": () => ({ next: ["agent"], tasks: [] }),
      });
      return await compare();
    };

    const run = await compareWith({ thread_id: "t2", metadata: { graph_id: "agent" } });

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([expect.stringMatching(/Read 1 of 2 waiting threads\. .*Thread t1/)]);
    expectError(await compareWith(), "waiting threads could not be read", "Check metadata.graph_id of that");
  });

  test("one whose run has ended meanwhile does not count", async () => {
    const threads: ReturnType<typeof waitingAt> = [
      { thread_id: "thread-1", status: "busy", next: ["approve"] },
    ];
    const scenario = await startComparison({ threads });
    scenario.emulator.addFault(answer(404, { detail: "Thread not found" }, "/threads/thread-1/state$"));

    const run = await scenario.compare();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([]);
  });

  test("an interrupted one whose state is not found could not be read", async () => {
    const scenario = await startComparison({ threads: waitingAt("approve") });
    scenario.emulator.addFault(answer(404, { detail: "Not Found" }, "/threads/thread-1/state$"));

    const run = await scenario.compare();

    expectError(run, "The waiting threads could not be read.", "404", "breaking_changes: warn");
  });

  test("a thread that waits in a subgraph is found there", async () => {
    const before = { agent: { ...drafts, nodes: ["write", "approve:ask", "approve:wait"] } };
    const after = { agent: { ...drafts, nodes: ["write", "approve:wait"] } };
    const scenario = await startComparison({ before, after, threads: waitingAt("approve:ask") });

    const run = await scenario.compare();

    expectError(run, "Node approve:ask", "thread-1");
    const states = scenario.emulator.requests.filter(({ path }) => path.endsWith("/state"));
    expect(states.map(({ query }) => query)).toEqual([{ subgraphs: ["true"] }]);
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

test.each<[string, number, RegExp]>([
  [
    "is not read afterwards",
    30,
    /There was not enough time for \/assistants\/0\/schemas\..*it is read for at most 30 s in all/,
  ],
  [
    "ends a request that is under way",
    29.8,
    /\/assistants\/0\/schemas: no complete response within 0\.2 s\..*it is read for at most 30 s in all/,
  ],
])("an agent may be read for 30 seconds: it %s", async (_what, seconds, message) => {
  const slow: { pass(seconds: number): Promise<void> } = { pass: async () => {} };
  const { compare, scenario, agent } = await startWithOwnAgent({
    ...servedBy({ agent: { nodes: ["agent"] } }),
    "GET /assistants/0/graph": async () => {
      await slow.pass(seconds);
      return { nodes: [{ id: "agent" }] };
    },
    "GET /assistants/0/schemas": () => realTime(500),
  });
  passTimeDuringRequestsTo(agent);
  slow.pass = scenario.pass;

  const run = await compare({ breaking_changes: "warn" });

  expect(run.log).toContain("schemas of graph agent could not be compared");
  expect(run.log).toMatch(message);
});

test("an agent to compare with that sleeps wakes up before the time to read it begins", async () => {
  const slow: { pass(seconds: number): Promise<void> } = { pass: async () => {} };
  let isAwake = false;
  const wakeUp = async () => {
    if (!isAwake) await slow.pass(45);
    isAwake = true;
  };
  const routes = servedBy({ agent: { nodes: ["agent"] } });
  const { compare, scenario, agent } = await startWithOwnAgent({
    ...routes,
    "GET /ok": wakeUp,
    "POST /assistants/search": async (body) => {
      await wakeUp();
      return routes["POST /assistants/search"]?.(body);
    },
  });
  passTimeDuringRequestsTo(agent);
  slow.pass = scenario.pass;

  const run = await compare();

  expect(run.outputs.outcome).toBe("deployed");
});

describe("a schema that only the agent to compare with shows", () => {
  const schemas = "^/live/agent/.*/schemas$";

  test.each([
    ["fail", "failed"],
    ["warn", "deployed"],
  ])("ends a comparison with breaking_changes: %s as %s", async (effect, outcome) => {
    const run = await runWith([answer(200, { graph_id: "agent" }, schemas)], { breaking_changes: effect });

    expect(run.outputs.outcome).toBe(outcome);
    for (const kind of ["input", "output"]) {
      const message = `Graph agent, ${kind}: the schema was not compared, because the new version does not report it`;
      expect(changesOf(run)).toContainEqual(
        expect.objectContaining({ kind, breaking: true, message: expect.stringContaining(message) }),
      );
    }
  });

  test("closes the gate if the new version can't describe its graph", async () => {
    const scenario = await startComparison();
    scenario.emulator.addFault(answer(500, "Internal Server Error", schemas));

    const run = await scenario.compare();

    expectError(run, "schemas of graph agent could not be compared", "500", "breaking_changes: warn");
    expect(run.outputs.outcome).toBe("failed");
  });
});

test("a gate that can't read the previous revision fails before the write, with the advice to read it", async () => {
  const { emulator, existing, deploy } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  await existing();
  emulator.addFault(answer(401, { detail: "no" }, "^/live/agent/assistants/search$"));

  const run = await deploy({ compare_with: "previous", rollback_on_failure: "true" });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "could not be read", "failed with 401", "Set agent_headers");
  expect(writes(run.requests).filter(({ path }) => path.startsWith("/v2/"))).toEqual([]);
});
