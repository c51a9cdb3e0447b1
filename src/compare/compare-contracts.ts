import type { Result } from "../errors.ts";
import { code, joined, type Message, text } from "../text/message.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { bySeverity, type ContractChange, describeWaiting } from "./contract-change.ts";
import { type Contract, type GraphContract, nodeSeparator, schemaKinds } from "./read-contract.ts";
import type { WaitingThread } from "./read-threads.ts";

/**
 * What differs between what two agents serve (docs/specification.md#comparing-deployments). `threads`: those that wait on the
 * agent before, whose graphs and nodes count even if that agent does not list them.
 */
export function compareContracts(
  before: Contract,
  after: Contract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  const graphs = new Set([...before.keys(), ...threads.map((thread) => thread.graph)]);
  const changes = [...graphs].flatMap((graph) => {
    const own = threads.filter((thread) => thread.graph === graph);
    const [served, next] = [before.get(graph), after.get(graph)];
    if (next === undefined) return [goneGraph(graph, own)];
    return [...compareNodes(graph, served, next, own), ...compareAllSchemas(graph, served, next, own)];
  });
  const added = [...after.keys()].filter((graph) => !before.has(graph));
  return bySeverity([...changes, ...added.map(newGraph)]);
}

function goneGraph(graph: string, threads: readonly WaitingThread[]): ContractChange {
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

/**
 * The nodes that are gone, and the subgraphs whose nodes only the agent before shows. A node that became a subgraph is not
 * gone.
 */
function compareNodes(
  graph: string,
  before: GraphContract | undefined,
  after: GraphContract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  if ("error" in after.nodes) return [];
  const shown = before && "value" in before.nodes ? before.nodes.value : [];
  const opened = new Set(after.nodes.value.flatMap((node) => pathOf(node).slice(0, -1)));
  const remaining = new Set([...after.nodes.value, ...opened]);
  const changed = new Set<string>();
  for (const node of new Set([...shown, ...threads.flatMap(({ nodes }) => nodes)])) {
    // The outermost missing part of a path is enough. If a node shows no nodes, what is in it is unknown.
    const end = pathOf(node).find((part) => !remaining.has(part) || (part !== node && !opened.has(part)));
    if (end !== undefined) changed.add(end);
  }
  const threadsAt = (node: string) =>
    threads.filter(({ nodes }) => nodes.some((waiting) => pathOf(waiting).includes(node)));
  return [...changed].map((node) =>
    remaining.has(node) ? closedSubgraph(graph, node) : goneNode(graph, node, idsOf(threadsAt(node))),
  );
}

function closedSubgraph(graph: string, path: string): ContractChange {
  const message = text`Graph ${code(graph, 100)}: the new version does not show what is in node ${code(path, 100)}. Check it by hand.`;
  return { graph, kind: "node", severity: "by_hand", path, message, threads: 0 };
}

function goneNode(graph: string, path: string, threads: readonly string[]): ContractChange {
  const isOne = threads.length === 1;
  const finished = isOne ? text`the thread has finished` : text`the threads have finished`;
  const them = isOne ? text`the thread` : text`the threads`;
  const message = joined([
    text`Node ${code(path, 100)} is missing from graph ${code(graph, 100)}.`,
    describeWaiting(threads, text`at it`) ?? text`No thread that was read is waiting at it.`,
    threads.length === 0
      ? undefined
      : text`Keep the node, or put it back, until ${finished}. After a rename, keep both nodes. Alternatively, resume ${them} on a version that has the node, or delete ${them}.`,
  ]);
  const severity = threads.length > 0 ? "breaking" : "note";
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

/** What could not be read of graphs that both agents serve, as sentences. */
export function unreadParts(before: Contract, after: Contract): Message[] {
  return [...before].flatMap(([graph, own]) => {
    const other = after.get(graph);
    if (other === undefined) return [];
    return [
      ...unreadPart(graph, text`nodes`, [own.nodes, other.nodes]),
      ...unreadPart(graph, text`schemas`, [own.schemas, other.schemas]),
    ];
  });
}

function unreadPart(graph: string, what: Message, results: readonly Result<unknown>[]): Message[] {
  const [failure] = results.flatMap((result) => ("error" in result ? [result.error] : []));
  if (failure === undefined) return [];
  const { message, hint } = failure.ending;
  return [joined([text`The ${what} of graph ${code(graph, 100)} could not be compared.`, message, hint])];
}
