import { describe, expect, test } from "@jest/globals";
import {
  compareContracts,
  findUnreportedSchemas,
  hidesParts,
} from "../../../src/compare/compare-contracts.ts";
import type { SchemaKind } from "../../../src/compare/contract-change.ts";
import type { WaitingThread } from "../../../src/compare/read-baseline.ts";
import { type Contract, type GraphContract, schemaKinds } from "../../../src/compare/read-contract.ts";
import { Failure } from "../../../src/errors.ts";
import { rawText, text } from "../../../src/text/message.ts";

const object = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: [],
});
const usual: Partial<Record<SchemaKind, unknown>> = {
  input: object("question"),
  output: object("answer"),
  state: object("question", "draft"),
};

function graph(nodes: readonly string[], changed: Partial<Record<SchemaKind, unknown>> = {}): GraphContract {
  const schemas = { ...usual, ...changed };
  const read = new Map(schemaKinds.map((kind) => [kind, schemas[kind]]));
  return { nodes: { value: nodes }, schemas: { value: read } };
}

const contract = (graphs: Readonly<Record<string, GraphContract>>): Contract => ({
  graphs: new Map(Object.entries(graphs)),
  gaps: [],
});
const agentWith = (...nodes: string[]) => contract({ agent: graph(nodes) });
const schemas = (changed: Partial<Record<SchemaKind, unknown>>) =>
  contract({ agent: graph(["write"], changed) });

function waitingAt(...nodes: string[]): WaitingThread {
  return { id: `thread at ${nodes.join()}`, graph: "agent", nodes };
}

const failed = { error: new Failure(text`Failed.`, { hint: text`Try again.` }) };

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
    "a thread waits at a node that was gone before",
    agentWith("write"),
    agentWith("write"),
    [waitingAt("former")],
    ["note agent node former (1)"],
  ],
  [
    "a thread waits at a node of a subgraph that was gone before",
    agentWith("a:b"),
    agentWith("a:b"),
    [waitingAt("a:former")],
    ["note agent node a:former (1)"],
  ],
  [
    "a thread waits in a subgraph that the former version did not show",
    agentWith("a"),
    agentWith("a:b"),
    [waitingAt("a:former")],
    ["breaking agent node a:former (1)"],
  ],
  [
    "a thread waits in a subgraph that was gone before, and comes back without its node",
    agentWith("write"),
    agentWith("write", "a:b"),
    [waitingAt("a:former")],
    ["note agent node a:former (1)"],
  ],
  [
    "a thread waits at a node of a graph whose nodes were not read",
    contract({ agent: { ...graph([]), nodes: failed } }),
    agentWith("write"),
    [waitingAt("approve")],
    ["breaking agent node approve (1)"],
  ],
  [
    "a thread waits on a graph that neither side lists",
    agentWith("write"),
    agentWith("write"),
    [{ id: "1", graph: "former", nodes: [] }],
    ["note former graph  (1)"],
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
    "a thread waits at a node of a graph that only the new version lists",
    contract({}),
    agentWith("write"),
    [waitingAt("former")],
    ["note agent node former (1)", "note agent graph  (0)"],
  ],
  [
    "nothing else of a graph that only waiting threads name",
    contract({}),
    agentWith("write"),
    [waitingAt("write")],
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
  const found = compareContracts({ ...before, threads }, after);

  expect(
    found.map((one) => `${one.severity} ${one.graph} ${one.kind} ${one.path} (${one.threadCount})`),
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
  [
    "a graph that both lack",
    contract({}),
    contract({}),
    "Graph agent is missing. 1 thread is waiting on it: thread at write. The agent to compare with lacks the graph too.",
  ],
  [
    "a node that both lack",
    agentWith("approve"),
    agentWith("approve"),
    "Node write is missing from graph agent. 1 thread is waiting at it: thread at write. The agent to compare with lacks the node too.",
  ],
])("of %s it is said what to do", (_what, before, after, message) => {
  const found = compareContracts({ ...before, threads: [waitingAt("write")] }, after);

  expect(found.map((change) => rawText(change.message))).toContain(message);
});

test("without threads, every change of nodes is a note", () => {
  const found = compareContracts(
    { ...agentWith("write", "approve"), threads: undefined },
    agentWith("write"),
  );

  expect(found).toMatchObject([{ kind: "node", severity: "note", path: "approve" }]);
});

test("three of the threads that wait at a node are named", () => {
  const threads = ["a", "b", "c", "d"].map((id) => ({ id, graph: "agent", nodes: ["approve"] }));

  const [change] = compareContracts({ ...agentWith("write", "approve"), threads }, agentWith("write"));

  expect(change && rawText(change.message)).toBe(
    "Node approve is missing from graph agent. 4 threads are waiting at it: a, b, c and others. Keep the node, or put it back, until no thread is waiting at it. After a rename, keep both nodes. Alternatively, resume each thread on a version that has the node, or delete it.",
  );
});

describe("schemas of input and output that are not reported", () => {
  const noInput = schemas({ input: undefined });
  const noOutput = schemas({ output: {} });
  const neither = schemas({ input: undefined, output: undefined });
  const newVersion = "the new version does not report the schema of its";
  const compared = "the agent to compare with does not report the schema of its";
  const byNeither = "neither agent reports the schema of its";

  test.each<readonly [string, Contract, Contract, string | undefined, boolean]>([
    ["by neither", noInput, noInput, `${byNeither} input,`, false],
    ["before", noOutput, schemas({}), `${compared} output,`, false],
    ["after", schemas({}), noOutput, `${newVersion} output,`, true],
    ["more after", noInput, neither, `${newVersion} input and output,`, true],
    ["by any graph of the same name", noInput, contract({}), `${compared} input`, false],
  ])("%s are named", (_when, before, after, words, isLost) => {
    const found = findUnreportedSchemas(before, after);

    expect(found.map((one) => one.isLost)).toEqual([isLost]);
    expect(found.map(({ message }) => rawText(message))).toEqual([
      expect.stringMatching(new RegExp(`^Graph agent: ${words}.*TypedDict from typing_extensions\\.$`)),
    ]);
  });

  test.each<readonly [string, Contract, Contract]>([
    ["all are reported", schemas({}), schemas({})],
    ["only config or context are not", schemas({ config: undefined }), schemas({ context: undefined })],
    ["they could not be read", withSchemas(failed), withSchemas(failed)],
  ])("are none if %s", (_when, before, after) => {
    expect(findUnreportedSchemas(before, after)).toEqual([]);
  });
});

describe("the new version hides parts", () => {
  const hidden = (nodes: GraphContract["nodes"], read: GraphContract["schemas"]) =>
    contract({ agent: { nodes, schemas: read } });
  const { nodes, schemas: read } = graph(["write"]);
  const none = { value: new Map(schemaKinds.map((kind) => [kind, undefined])) };

  test.each<readonly [string, Contract, Contract, boolean]>([
    ["if its nodes can't be read", agentWith("write"), hidden(failed, read), true],
    ["if its schemas can't be read", agentWith("write"), hidden(nodes, failed), true],
    ["not if everything can be read", agentWith("write"), agentWith("write"), false],
    ["not if the nodes could not be read before", hidden(failed, read), hidden(failed, read), false],
    ["not if the schemas could not be read before", hidden(nodes, failed), hidden(nodes, failed), false],
    ["not if no schema was reported before", hidden(nodes, none), hidden(nodes, failed), false],
    ["not if the graph is gone, which is a change", agentWith("write"), contract({}), false],
    [
      "if one of two graphs can't be read",
      contract({ other: graph(["write"]), agent: graph(["write"]) }),
      contract({ other: graph(["write"]), agent: { nodes: failed, schemas: read } }),
      true,
    ],
  ])("%s", (_when, before, after, expected) => {
    expect(hidesParts(before, after)).toBe(expected);
  });
});

/** An agent whose schemas were read like this. */
function withSchemas(read: GraphContract["schemas"]): Contract {
  return contract({ agent: { ...graph(["write"]), schemas: read } });
}
