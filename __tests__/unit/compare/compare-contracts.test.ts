import { expect, test } from "@jest/globals";
import { compareContracts } from "../../../src/compare/compare-contracts.ts";
import type { WaitingThread } from "../../../src/compare/read-baseline.ts";
import type { Contract, GraphContract } from "../../../src/compare/read-contract.ts";
import { rawText } from "../../../src/text/message.ts";
import { agentWith, contract, failed, graph, object, schemas } from "./support/contracts.ts";

function waitingAt(...nodes: string[]): WaitingThread {
  return { id: `thread at ${nodes.join()}`, graph: "agent", nodes };
}

test.each<readonly [string, Contract, Contract, readonly WaitingThread[], readonly string[]]>([
  ["nothing", agentWith("write"), agentWith("write"), [waitingAt("write")], []],
  [
    "a graph is gone",
    contract({ agent: graph(["write"]), other: graph(["write"]) }),
    contract({ other: graph(["write"]) }),
    [waitingAt("write")],
    ["breaking agent graph  (1)"],
  ],
  [
    "a graph is new",
    contract({ other: graph(["write"]) }),
    contract({ agent: graph(["write"]), other: graph(["write"]) }),
    [],
    ["note agent graph  (0)"],
  ],
  [
    "a node is gone at which threads wait",
    agentWith("write", "approve"),
    agentWith("write", "review"),
    [waitingAt("approve"), waitingAt("write"), waitingAt("approve", "write")],
    ["breaking agent node approve (2)"],
  ],
  [
    "a node is gone at which only threads of another graph wait",
    contract({ agent: graph(["write", "approve"]), other: graph(["approve"]) }),
    contract({ agent: graph(["write"]), other: graph(["approve"]) }),
    [waitingAt("write"), { id: "1", graph: "other", nodes: ["approve"] }],
    ["note agent node approve (0)"],
  ],
  ["a node is new", agentWith("write"), agentWith("write", "approve"), [waitingAt("write")], []],
  [
    "nothing if a thread waits at a node that was gone before",
    agentWith("write"),
    agentWith("write"),
    [waitingAt("former")],
    [],
  ],
  [
    "nothing if a thread waits at a node of a subgraph that was gone before",
    agentWith("a:b"),
    agentWith("a:b"),
    [waitingAt("a:former")],
    [],
  ],
  [
    "a thread waits in a subgraph that the former version did not show",
    agentWith("a"),
    agentWith("a:b"),
    [waitingAt("a:former")],
    ["breaking agent node a:former (1)"],
  ],
  [
    "nothing if a thread waits in a subgraph that was gone before, and comes back without its node",
    agentWith("write"),
    agentWith("write", "a:b"),
    [waitingAt("a:former")],
    [],
  ],
  [
    "a thread waits at a node of a graph whose nodes were not read",
    contract({ agent: { ...graph([]), nodes: failed } }),
    agentWith("write"),
    [waitingAt("approve")],
    ["breaking agent node approve (1)"],
  ],
  [
    "nothing if a thread waits on a graph that neither side lists",
    agentWith("write"),
    agentWith("write"),
    [{ id: "1", graph: "former", nodes: [] }],
    [],
  ],
  ["a node became a subgraph", agentWith("a"), agentWith("a:b"), [waitingAt("a")], []],
  [
    "a subgraph is gone, of which only the outermost part counts",
    agentWith("a:b", "a:c", "d"),
    agentWith("d"),
    [waitingAt("a", "a:b")],
    ["breaking agent node a (1)"],
  ],
  [
    "a node of a subgraph is gone",
    agentWith("a:b", "a:c"),
    agentWith("a:c"),
    [waitingAt("a", "a:b")],
    ["breaking agent node a:b (1)"],
  ],
  [
    "what is in a subgraph is not shown any more",
    agentWith("a:b"),
    agentWith("a"),
    [waitingAt("a", "a:b")],
    ["byHand agent node a (0)"],
  ],
  [
    "nothing of nodes that the new version does not show",
    agentWith("write"),
    contract({ agent: { ...graph([]), nodes: failed } }),
    [waitingAt("write")],
    [],
  ],
  [
    "nothing of schemas that could not be read before",
    contract({ agent: { ...graph(["write"]), schemas: failed } }),
    schemas({ input: object() }),
    [],
    [],
  ],
  [
    "nothing of schemas that could not be read after",
    schemas({ input: object("question", "topic") }),
    contract({ agent: { ...graph(["write"]), schemas: failed } }),
    [],
    [],
  ],
  [
    "a graph is new, and nothing else if a thread waits at a node of it",
    contract({}),
    agentWith("write"),
    [waitingAt("former")],
    ["note agent graph  (0)"],
  ],
  [
    "notes after what is to be checked by hand, and both after what is breaking",
    contract({ agent: graph(["write", "approve"], { context: object("x") }), other: graph([]) }),
    agentWith("write"),
    [],
    ["breaking other graph  (0)", "byHand agent context  (0)", "note agent node approve (0)"],
  ],
  [
    "the state of a graph without waiting threads",
    schemas({}),
    schemas({ state: object("question") }),
    [],
    ["note agent state draft (0)"],
  ],
  [
    "every kind of schema, the breaking ones first",
    schemas({ config: object("c"), context: object("x") }),
    schemas({ input: object(), output: object(), state: object("draft"), config: object(), context: {} }),
    [waitingAt("write")],
    [
      "breaking agent input question (0)",
      "breaking agent output answer (0)",
      "breaking agent state question (1)",
      "breaking agent config c (0)",
      "byHand agent context  (0)",
    ],
  ],
])("a comparison finds that %s", (_what, before, after, threads, expected) => {
  const { changes } = compareContracts({ ...before, threads, gaps: [] }, after);

  expect(
    changes.map((one) => `${one.severity} ${one.graph} ${one.kind} ${one.path} (${one.threadCount})`),
  ).toEqual(expected);
});

test.each<[string, Contract, Contract, string]>([
  [
    "a graph that is missing",
    agentWith("write"),
    contract({}),
    "Graph agent is missing. 1 thread is waiting on it: thread at write. Keep the graph until nobody calls it and its threads have ended.",
  ],
  [
    "a graph that is new",
    { ...contract({}) },
    contract({ agent: graph([]), other: graph([]) }),
    "Graph other is new.",
  ],
  [
    "a subgraph that is hidden",
    agentWith("write", "a:b"),
    agentWith("write", "a"),
    "Graph agent: the new version does not show what is in node a. Check it by hand.",
  ],
  [
    "a node at which no thread waits",
    agentWith("write", "approve"),
    agentWith("write"),
    "Node approve is missing from graph agent. No thread that was read is waiting at it.",
  ],
])("of %s it is said what to do", (_what, before, after, message) => {
  const { changes } = compareContracts({ ...before, threads: [waitingAt("write")], gaps: [] }, after);

  expect(changes.map((change) => rawText(change.message))).toContain(message);
});

test("without threads, every change of nodes is a note", () => {
  const { changes } = compareContracts(
    { ...agentWith("write", "approve"), threads: [], gaps: [] },
    agentWith("write"),
  );

  expect(changes).toMatchObject([{ kind: "node", severity: "note", path: "approve" }]);
});

test("three of the threads that wait at a node are named", () => {
  const threads = ["a", "b", "c", "d"].map((id) => ({ id, graph: "agent", nodes: ["approve"] }));

  const { changes } = compareContracts(
    { ...agentWith("write", "approve"), threads, gaps: [] },
    agentWith("write"),
  );

  expect(changes.map((change) => rawText(change.message))).toEqual([
    "Node approve is missing from graph agent. 4 threads are waiting at it: a, b, c and others. Keep the node, or put it back, until no thread is waiting at it. After a rename, keep both nodes. Alternatively, resume each thread on a version that has the node, or delete it.",
  ]);
});

const all = agentWith("write");
const read = graph(["write"]);
const withoutNodes = contract({ agent: { ...read, nodes: failed } });
const withoutSchemas = contract({ agent: { ...read, schemas: failed } });
const unread = (part: keyof GraphContract, agent: string) =>
  `The ${part} of graph agent could not be compared: ${agent} did not show them. Failed. Try again.`;
const [compared, newVersion] = ["the agent to compare with", "the new version"];
const fails = (message: string) => `fails the gate: ${message}`;

test.each<readonly [string, Contract, Contract, readonly string[]]>([
  ["none if everything is shown", all, all, []],
  ["none of a graph that is gone, which is a change", withoutNodes, contract({}), []],
  ["none of a graph that is new", contract({}), withoutNodes, []],
  ["nodes that the new version hides", all, withoutNodes, [fails(unread("nodes", newVersion))]],
  ["nodes that could not be read before", withoutNodes, all, [unread("nodes", compared)]],
  ["nodes that neither shows", withoutNodes, withoutNodes, [unread("nodes", newVersion)]],
  ["schemas that the new version hides", all, withoutSchemas, [fails(unread("schemas", newVersion))]],
  ["schemas that could not be read before", withoutSchemas, all, [unread("schemas", compared)]],
  ["schemas that neither shows", withoutSchemas, withoutSchemas, [unread("schemas", newVersion)]],
  [
    "the parts of each graph",
    contract({ other: read, agent: read }),
    contract({ other: read, agent: { nodes: failed, schemas: failed } }),
    [fails(unread("nodes", newVersion)), fails(unread("schemas", newVersion))],
  ],
])("gaps: %s", (_what, before, after, expected) => {
  const { gaps } = compareContracts({ ...before, threads: [], gaps: [] }, after);

  expect(
    gaps.map(({ message, failsGate }) => (failsGate ? fails(rawText(message)) : rawText(message))),
  ).toEqual(expected);
});
