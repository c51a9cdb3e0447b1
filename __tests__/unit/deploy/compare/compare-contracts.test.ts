import { expect, test } from "@jest/globals";
import { compareContracts, comparesOnlyNames } from "../../../../src/deploy/compare/compare-contracts.ts";
import type { Contract, GraphContract } from "../../../../src/deploy/compare/read-contract.ts";
import type { WaitingThread } from "../../../../src/deploy/compare/read-threads.ts";
import { Failure } from "../../../../src/errors.ts";
import type { ContractChange, SchemaKind } from "../../../../src/results/comparison.ts";
import { text } from "../../../../src/text/message.ts";

const object = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const withB = (b: unknown) => ({ type: "object", properties: { b } });
const usual = { input: object("question"), output: object("answer"), state: object("question", "draft") };

function graph(nodes: readonly string[], schemas: Partial<Record<SchemaKind, unknown>> = {}): GraphContract {
  return { nodes: { value: nodes }, schemas: { value: { ...usual, ...schemas } } };
}

function contract(graphs: Readonly<Record<string, GraphContract>>): Contract {
  return { graphs: new Map(Object.entries(graphs)) };
}

const agentWith = (...nodes: string[]) => contract({ agent: graph(nodes) });
const schemas = (changed: Partial<Record<SchemaKind, unknown>>) =>
  contract({ agent: graph(["write"], changed) });

function waitingAt(...nodes: string[]): WaitingThread {
  return { id: `thread at ${nodes.join()}`, graph: "agent", nodes };
}

const failed = { error: new Failure(text`Failed.`, { hint: text`Try again.` }) };
const unread: GraphContract = { nodes: { value: ["write"] }, schemas: failed };

/** Such as `! agent node_gone approve, not shown before (1)`; breaking ones have the mark. */
function line(change: ContractChange): string {
  const mark = change.breaking ? "! " : "";
  const count = "threads" in change && change.threads.length > 0 ? ` (${change.threads.length})` : "";
  const threads = "wasShown" in change && !change.wasShown ? `, not shown before${count}` : count;
  switch (change.kind) {
    case "node_gone":
      return `${mark}${change.graph} node_gone ${change.node}${threads}`;
    case "schema":
      return `${mark}${change.graph} ${change.schema} ${change.path.join(".")} ${change.difference.kind}${threads}`;
    case "not_compared": {
      const { reason } = change;
      const what =
        "missing" in reason
          ? ` ${reason.schema} ${reason.missing}`
          : "schema" in reason
            ? ` ${reason.schema}`
            : "node" in reason
              ? ` ${reason.node}`
              : "";
      return `${mark}${change.graph} not compared: ${reason.kind}${what}`;
    }
    default:
      return `${mark}${change.graph} ${change.kind}${threads}`;
  }
}

test.each<readonly [string, Contract, Contract, readonly WaitingThread[], readonly string[]]>([
  ["nothing differs", agentWith("write"), agentWith("write"), [waitingAt("write")], []],
  [
    "a graph is gone",
    contract({ agent: graph(["write"]), other: graph(["write"]) }),
    contract({ other: graph(["write"]) }),
    [waitingAt("write")],
    ["! agent graph_gone (1)"],
  ],
  [
    "a graph is new",
    contract({ other: graph(["write"]) }),
    contract({ agent: graph(["write"]), other: graph(["write"]) }),
    [],
    ["agent graph_new"],
  ],
  [
    "a node is gone at which threads wait",
    agentWith("write", "approve"),
    agentWith("write", "review"),
    [waitingAt("approve"), waitingAt("write"), waitingAt("approve", "write")],
    ["! agent node_gone approve (2)"],
  ],
  [
    "a node is gone at which no thread waits",
    contract({ agent: graph(["write", "approve"]), other: graph(["approve"]) }),
    contract({ agent: graph(["write"]), other: graph(["approve"]) }),
    [waitingAt("write"), { id: "1", graph: "other", nodes: ["approve"] }],
    ["agent node_gone approve"],
  ],
  ["a node is new", agentWith("write"), agentWith("write", "approve"), [waitingAt("write")], []],
  [
    "a thread waits at a node that was gone before",
    agentWith("write"),
    agentWith("write"),
    [waitingAt("former")],
    ["! agent node_gone former, not shown before (1)"],
  ],
  [
    "a thread waits at a node of a graph whose nodes were not read",
    contract({ agent: { ...graph([]), nodes: failed } }),
    agentWith("write"),
    [waitingAt("approve")],
    ["! agent node_gone approve (1)", "agent not compared: unread"],
  ],
  [
    "a graph showed no nodes",
    agentWith(),
    agentWith("write"),
    [waitingAt("write")],
    ["agent not compared: no_nodes"],
  ],
  [
    "a thread waits on a graph that neither side lists",
    agentWith("write"),
    agentWith("write"),
    [{ id: "1", graph: "former", nodes: [] }],
    ["! former graph_gone, not shown before (1)"],
  ],
  [
    "a thread waits on a graph that only the new side lists, at a node that it does not have",
    agentWith("write"),
    contract({ agent: graph(["write"]), other: graph(["write"]) }),
    [{ id: "1", graph: "other", nodes: ["approve"] }],
    [
      "! other node_gone approve (1)",
      "other not compared: no_nodes",
      ...["input", "output", "state"].map((schema) => `other not compared: no_schema ${schema} before`),
      "other graph_new",
    ],
  ],
  [
    "a node became a subgraph",
    agentWith("write", "approve"),
    agentWith("write", "approve:ask", "approve:wait"),
    [waitingAt("approve")],
    [],
  ],
  [
    "a node of a subgraph is gone",
    agentWith("approve:ask", "approve:wait"),
    agentWith("approve:wait"),
    [waitingAt("approve", "approve:ask")],
    ["! agent node_gone approve:ask (1)"],
  ],
  [
    "a subgraph is gone as a whole",
    agentWith("write", "approve:ask", "approve:wait"),
    agentWith("write"),
    [waitingAt("approve", "approve:ask")],
    ["! agent node_gone approve (1)"],
  ],
  [
    "the new server does not show the nodes of a subgraph",
    agentWith("approve:ask", "approve:wait"),
    agentWith("approve"),
    [waitingAt("approve", "approve:ask")],
    ["agent not compared: subgraph approve"],
  ],
  [
    "a thread waits in a subgraph whose nodes neither server shows",
    agentWith("approve"),
    agentWith("approve"),
    [waitingAt("approve", "approve:ask")],
    ["agent not compared: subgraph approve"],
  ],
  [
    "a thread waits in a subgraph that only the new server shows",
    agentWith("approve"),
    agentWith("approve:wait"),
    [waitingAt("approve", "approve:ask")],
    ["! agent node_gone approve:ask, not shown before (1)"],
  ],
  [
    "a property of the input is gone",
    schemas({ input: object("question", "topic") }),
    schemas({}),
    [],
    ["! agent input topic gone"],
  ],
  [
    "a property of the input is gone while threads wait",
    schemas({ input: { title: "Input", ...object("question", "topic") } }),
    schemas({}),
    [waitingAt("write")],
    ["! agent input topic gone"],
  ],
  [
    "an optional property of the input is new",
    schemas({}),
    schemas({ input: { ...object("question", "topic"), required: [] } }),
    [],
    [],
  ],
  [
    "a property of the config is newly required",
    schemas({ config: object("model") }),
    schemas({ config: { ...object("model"), required: ["model"] } }),
    [],
    ["! agent config model newly_required"],
  ],
  [
    "a property of the config is no longer required",
    schemas({ config: { ...object("model"), required: ["model"] } }),
    schemas({ config: object("model") }),
    [],
    [],
  ],
  [
    "a type of the context is narrower",
    schemas({ context: { properties: { a: { type: "number" } } } }),
    schemas({ context: { properties: { a: { type: "integer" } } } }),
    [],
    ["! agent context a type"],
  ],
  [
    "a property of the output is no longer required",
    schemas({ output: { ...object("answer"), required: ["answer"] } }),
    schemas({}),
    [],
    ["! agent output answer no_longer_required"],
  ],
  [
    "a property of the output is newly required",
    schemas({}),
    schemas({ output: { ...object("answer"), required: ["answer"] } }),
    [],
    [],
  ],
  [
    "a property of the state is gone while threads wait",
    schemas({}),
    schemas({ state: object("question") }),
    [waitingAt("write")],
    ["! agent state draft gone (1)"],
  ],
  [
    "a property of the state is gone while no thread waits",
    schemas({}),
    schemas({ state: object("question") }),
    [],
    ["agent state draft gone"],
  ],
  [
    "a property of the state is new while threads wait",
    schemas({ state: object("question") }),
    schemas({}),
    [waitingAt("write")],
    [],
  ],
  [
    "a type of the state is another while threads wait",
    schemas({ state: { properties: { a: { type: "string" } } } }),
    schemas({ state: { properties: { a: { type: "integer" } } } }),
    [waitingAt("write")],
    ["! agent state a type (1)"],
  ],
  [
    "a type of the state is wider while threads wait",
    schemas({ state: { properties: { a: { type: "string" } } } }),
    schemas({ state: { properties: { a: { type: ["string", "null"] } } } }),
    [waitingAt("write")],
    ["agent state a type (1)"],
  ],
  [
    "a type of the state is wider beside a narrower one at a path that reads the same",
    schemas({ state: { properties: { "a.b": { type: ["string", "null"] }, a: withB({ type: "string" }) } } }),
    schemas({ state: { properties: { "a.b": { type: "string" }, a: withB({ type: ["string", "null"] }) } } }),
    [waitingAt("write")],
    ["! agent state a.b type (1)", "agent state a.b type (1)"],
  ],
  ["no side has a config", schemas({}), schemas({}), [], []],
  [
    "no side has an input",
    schemas({ input: null }),
    schemas({ input: {} }),
    [],
    ["agent not compared: no_schema input neither"],
  ],
  [
    "a schema is missing after",
    schemas({}),
    schemas({ output: null }),
    [],
    ["agent not compared: no_schema output after"],
  ],
  [
    "a schema is missing before",
    schemas({}),
    schemas({ context: object("model") }),
    [],
    ["agent not compared: no_schema context before"],
  ],
  [
    "a schema differs in another keyword",
    schemas({}),
    schemas({ input: { ...object("question"), additionalProperties: false } }),
    [],
    ["agent not compared: schema input"],
  ],
  [
    "the schemas of one side could not be read",
    agentWith("write", "approve"),
    contract({ agent: unread }),
    [],
    ["agent not compared: unread", "agent node_gone approve"],
  ],
  [
    "the nodes of the new side could not be read",
    agentWith("write"),
    contract({ agent: { ...graph([]), nodes: failed } }),
    [waitingAt("approve")],
    ["agent not compared: unread"],
  ],
  [
    "breaking changes come first, and what is only a note last",
    contract({ agent: graph(["approve"], { input: object("topic") }), former: graph(["write"]) }),
    contract({ agent: graph([], { input: object(), output: null }) }),
    [],
    [
      "! agent input topic gone",
      "! former graph_gone",
      "agent not compared: no_schema output after",
      "agent node_gone approve",
    ],
  ],
])("%s", (_title, before, after, threads, expected) => {
  const changes = compareContracts(before, after, threads);

  expect(changes.map(line)).toEqual(expected);
});

test("what concerns threads that wait names them", () => {
  const changes = compareContracts(
    contract({ agent: graph(["approve"]), other: graph([]) }),
    contract({ agent: graph([], { state: object("question") }) }),
    [waitingAt("approve"), { id: "1", graph: "other", nodes: [] }],
  );

  expect(changes.filter(({ breaking }) => breaking)).toMatchObject([
    { kind: "node_gone", threads: ["thread at approve"] },
    { kind: "schema", threads: ["thread at approve"] },
    { kind: "graph_gone", threads: ["1"] },
  ]);
});

const nothing: GraphContract = { nodes: { value: [] }, schemas: { value: {} } };
const onlyNodes: GraphContract = { ...nothing, nodes: { value: ["write"] } };
const onlyInput: GraphContract = { ...nothing, schemas: { value: { input: usual.input } } };

test.each<readonly [string, boolean, GraphContract, GraphContract]>([
  ["both show nodes", false, onlyNodes, onlyNodes],
  ["only the new side shows nodes", true, nothing, onlyNodes],
  [
    "only the old side could show nodes",
    true,
    { ...onlyNodes, schemas: failed },
    { nodes: failed, schemas: failed },
  ],
  [
    "only the new side could show nodes",
    true,
    { nodes: failed, schemas: failed },
    { ...onlyNodes, schemas: failed },
  ],
  ["both show a schema", false, onlyInput, onlyInput],
  ["only one side shows a schema", true, onlyInput, nothing],
  ["only the old side could show a schema", true, onlyInput, { ...nothing, schemas: failed }],
  ["only the new side could show a schema", true, { ...nothing, schemas: failed }, onlyInput],
])("whether only names are compared if %s: %s", (_title, expected, before, after) => {
  expect(comparesOnlyNames(contract({ agent: before }), contract({ agent: after }))).toBe(expected);
});

test("more than names is compared if agents share no graph, or if one of those that they share shows more", () => {
  const both = contract({ agent: nothing, other: onlyNodes });

  expect(comparesOnlyNames(contract({ agent: onlyNodes }), contract({ other: onlyNodes }))).toBe(false);
  expect(comparesOnlyNames(both, both)).toBe(false);
});
