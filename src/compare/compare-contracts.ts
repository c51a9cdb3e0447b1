import type { Result } from "../errors.ts";
import { code, joined, type Phrase, phrase, text } from "../text/message.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { type ContractChange, describeWaiting, type Gap, gapOf, schemaKinds } from "./contract-change.ts";
import type { Baseline, WaitingThread } from "./read-baseline.ts";
import { type Contract, type GraphContract, nodeSeparator } from "./read-contract.ts";

/**
 * Returns the differences of two agents, the breaking ones first, and what could not be compared
 * (docs/specification.md#comparing-deployments).
 */
export function compareContracts(before: Baseline, after: Contract) {
  const changes: ContractChange[] = [];
  const gaps = [...before.gaps];
  for (const [graph, graphBefore] of before.graphs) {
    const waiting = before.threads.filter((thread) => thread.graph === graph);
    const graphAfter = after.graphs.get(graph);
    if (graphAfter === undefined) {
      changes.push(missingGraph(graph, idsOf(waiting)));
      continue;
    }
    changes.push(
      ...compareNodes(graph, graphBefore, graphAfter, waiting),
      ...compareAllSchemas(graph, graphBefore, graphAfter, waiting),
    );
    gaps.push(
      ...gapsOf(phrase`nodes of graph ${code(graph, 100)}`, graphBefore.nodes, graphAfter.nodes),
      ...gapsOf(phrase`schemas of graph ${code(graph, 100)}`, graphBefore.schemas, graphAfter.schemas),
    );
  }
  const added = [...after.graphs.keys()].filter((graph) => !before.graphs.has(graph));
  changes.push(...added.map(newGraph));
  const order = ["breaking", "byHand", "note"];
  changes.sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity));
  return { changes, gaps };
}

function gapsOf(part: Phrase, before: Result<unknown>, after: Result<unknown>): Gap[] {
  const error = after.error ?? before.error;
  if (error === undefined) return [];
  const agent = after.error === undefined ? phrase`the agent to compare with` : phrase`the new version`;
  const sentence = text`The ${part} could not be compared: ${agent} did not show them.`;
  return [gapOf(sentence, error, before.error === undefined)];
}

function missingGraph(graph: string, threadIds: readonly string[]): ContractChange {
  const message = joined([
    text`Graph ${code(graph, 100)} is missing.`,
    describeWaiting(threadIds, phrase`on it`),
    text`Keep the graph until nobody calls it and its threads have ended.`,
  ]);
  return { graph, kind: "graph", severity: "breaking", path: "", message, threadCount: threadIds.length };
}

function newGraph(graph: string): ContractChange {
  const message = text`Graph ${code(graph, 100)} is new.`;
  return { graph, kind: "graph", severity: "note", path: "", message, threadCount: 0 };
}

function idsOf(threads: readonly WaitingThread[]): string[] {
  return threads.map(({ id }) => id);
}

/** Returns a change for each missing node, and for each subgraph whose nodes the new version does not show. */
function compareNodes(
  graph: string,
  before: GraphContract,
  after: GraphContract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  if (after.nodes.error !== undefined) return [];
  const shown = withSubgraphs(after.nodes.value);
  const nodes = [...(before.nodes.value ?? []), ...awaitedNodes(before, threads)];
  const absentParts = new Set(nodes.flatMap((node) => absentPartOf(node, shown) ?? []));
  return [...absentParts].map((part) => {
    if (shown.has(part)) return hiddenSubgraph(graph, part);
    const isWaiting = (thread: WaitingThread) => thread.nodes.some((node) => prefixesOf(node).includes(part));
    return missingNode(graph, part, idsOf(threads.filter(isWaiting)));
  });
}

/** Returns the nodes at which threads are waiting, except for those that were removed earlier. */
function awaitedNodes({ nodes }: GraphContract, threads: readonly WaitingThread[]): string[] {
  const awaited = threads.flatMap((thread) => thread.nodes);
  if (nodes.value === undefined) return awaited;
  const shown = withSubgraphs(nodes.value);
  const mayExist = (part: string | undefined) => part === undefined || shown.has(part);
  return awaited.filter((node) => mayExist(absentPartOf(node, shown)));
}

/** Adds the subgraphs around the nodes: a node that became a subgraph is not missing. */
function withSubgraphs(nodes: readonly string[]): ReadonlySet<string> {
  return new Set(nodes.flatMap(prefixesOf));
}

/** Finds the outermost part of a node's path that is not shown, or that is a subgraph of which no node is shown. */
function absentPartOf(node: string, shown: ReadonlySet<string>): string | undefined {
  const showsNodesIn = (subgraph: string) =>
    [...shown].some((path) => path.startsWith(`${subgraph}${nodeSeparator}`));
  return prefixesOf(node).find((part) => !shown.has(part) || (part !== node && !showsNodesIn(part)));
}

function hiddenSubgraph(graph: string, path: string): ContractChange {
  const message = text`Graph ${code(graph, 100)}: the new version does not show what is in node ${code(path, 100)}. Check it by hand.`;
  return { graph, kind: "node", severity: "byHand", path, message, threadCount: 0 };
}

const keepNodeHint = text`Keep the node, or put it back, until no thread is waiting at it. After a rename, keep both nodes. Alternatively, resume each thread on a version that has the node, or delete it.`;

function missingNode(graph: string, path: string, threadIds: readonly string[]): ContractChange {
  const waiting = describeWaiting(threadIds, phrase`at it`);
  const message = joined([
    text`Node ${code(path, 100)} is missing from graph ${code(graph, 100)}.`,
    waiting ?? text`No thread that was read is waiting at it.`,
    waiting && keepNodeHint,
  ]);
  const severity = waiting === undefined ? "note" : "breaking";
  return { graph, kind: "node", severity, path, message, threadCount: threadIds.length };
}

/** Returns `a`, `a:b` and `a:b:c` for `a:b:c`. */
function prefixesOf(node: string): string[] {
  const names = node.split(nodeSeparator);
  return names.map((_name, index) => names.slice(0, index + 1).join(nodeSeparator));
}

function compareAllSchemas(
  graph: string,
  before: GraphContract,
  after: GraphContract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  const [schemasBefore, schemasAfter] = [before.schemas.value, after.schemas.value];
  if (schemasBefore === undefined || schemasAfter === undefined) return [];
  const threadIds = idsOf(threads);
  return schemaKinds.flatMap((kind) =>
    compareSchemas({ graph, kind, threadIds }, schemasBefore.get(kind), schemasAfter.get(kind)),
  );
}
