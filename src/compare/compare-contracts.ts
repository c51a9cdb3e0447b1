import { code, joined, type Message, text } from "../text/message.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { type ContractChange, describeWaiting } from "./contract-change.ts";
import type { Baseline, WaitingThread } from "./read-baseline.ts";
import { type Contract, type GraphContract, nodeSeparator, schemaKinds } from "./read-contract.ts";

/**
 * What differs between what two agents serve, the breaking changes first (docs/specification.md#comparing-deployments). The
 * graphs and nodes at which threads wait count even if the agent before does not list them.
 */
export function compareContracts(before: Baseline, after: Contract): ContractChange[] {
  const { threads = [] } = before;
  const graphs = new Set([...before.graphs.keys(), ...threads.map((thread) => thread.graph)]);
  const changes = [...graphs].flatMap((graph) => {
    const own = threads.filter((thread) => thread.graph === graph);
    const [served, next] = [before.graphs.get(graph), after.graphs.get(graph)];
    if (next === undefined) return [missingGraph(graph, own)];
    return [...compareNodes(graph, served, next, own), ...compareAllSchemas(graph, served, next, own)];
  });
  const added = [...after.graphs.keys()].filter((graph) => !before.graphs.has(graph));
  const order = ["breaking", "by_hand", "note"];
  return [...changes, ...added.map(newGraph)].toSorted(
    (one, other) => order.indexOf(one.severity) - order.indexOf(other.severity),
  );
}

function missingGraph(graph: string, threads: readonly WaitingThread[]): ContractChange {
  const message = joined([
    text`Graph ${code(graph, 100)} is missing.`,
    describeWaiting(idsOf(threads), text`on it`),
    text`Keep the graph until nobody calls it and its threads have ended.`,
  ]);
  return { graph, kind: "graph", severity: "breaking", path: "", message, threads: threads.length };
}

function newGraph(graph: string): ContractChange {
  const message = text`Graph ${code(graph, 100)} is new.`;
  return { graph, kind: "graph", severity: "note", path: "", message, threads: 0 };
}

function idsOf(threads: readonly WaitingThread[]): string[] {
  return threads.map(({ id }) => id);
}

/** The nodes that are missing, and the subgraphs whose nodes the new version does not show. */
function compareNodes(
  graph: string,
  before: GraphContract | undefined,
  after: GraphContract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  if ("error" in after.nodes) return [];
  const shown = before && "value" in before.nodes ? before.nodes.value : [];
  const subgraphs = new Set(after.nodes.value.flatMap((node) => pathOf(node).slice(0, -1)));
  // A node that became a subgraph is not missing.
  const remaining = new Set([...after.nodes.value, ...subgraphs]);
  const parts = new Set<string>();
  for (const node of new Set([...shown, ...threads.flatMap((thread) => thread.nodes)])) {
    // The outermost missing part of a path is enough. If a node shows no nodes, what is in it is unknown.
    const part = pathOf(node).find((path) => !remaining.has(path) || (path !== node && !subgraphs.has(path)));
    if (part !== undefined) parts.add(part);
  }
  const threadsAt = (node: string) =>
    threads.filter((thread) => thread.nodes.some((waiting) => pathOf(waiting).includes(node)));
  return [...parts].map((node) =>
    remaining.has(node) ? hiddenSubgraph(graph, node) : missingNode(graph, node, idsOf(threadsAt(node))),
  );
}

function hiddenSubgraph(graph: string, path: string): ContractChange {
  const message = text`Graph ${code(graph, 100)}: the new version does not show what is in node ${code(path, 100)}. Check it by hand.`;
  return { graph, kind: "node", severity: "by_hand", path, message, threads: 0 };
}

const keepNode = text`Keep the node, or put it back, until they have finished. After a rename, keep both nodes. Alternatively, resume the threads on a version that has the node, or delete them.`;

function missingNode(graph: string, path: string, threads: readonly string[]): ContractChange {
  const missing = text`Node ${code(path, 100)} is missing from graph ${code(graph, 100)}.`;
  const waiting = describeWaiting(threads, text`at it`);
  const severity = waiting === undefined ? "note" : "breaking";
  const message: Message =
    waiting === undefined
      ? text`${missing} No thread that was read is waiting at it.`
      : joined([missing, waiting, keepNode]);
  return { graph, kind: "node", severity, path, message, threads: threads.length };
}

/** `a`, `a:b` and `a:b:c` for `a:b:c`. */
function pathOf(node: string): string[] {
  const names = node.split(nodeSeparator);
  return names.map((_name, index) => names.slice(0, index + 1).join(nodeSeparator));
}

function compareAllSchemas(
  graph: string,
  before: GraphContract | undefined,
  after: GraphContract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  if (before === undefined || "error" in before.schemas || "error" in after.schemas) return [];
  const [own, other] = [before.schemas.value, after.schemas.value];
  const subject = { graph, threads: idsOf(threads) };
  return schemaKinds.flatMap((kind) => compareSchemas({ ...subject, kind }, own.get(kind), other.get(kind)));
}
