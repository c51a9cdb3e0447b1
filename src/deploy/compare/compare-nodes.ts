import type { ContractDifference } from "../../results/comparison.ts";
import { separator, type WaitingThread } from "./contract.ts";

type NodeDifference = Extract<ContractDifference, { kind: "node_gone" | "not_compared" }>;

/**
 * The nodes that are gone, and the subgraphs whose nodes the new server does not show. A node that became a subgraph is not
 * gone. `threads`: those of this graph that wait; their nodes count even if `before` lacks them.
 */
export function compareNodes(
  graph: string,
  before: readonly string[],
  after: readonly string[],
  threads: readonly WaitingThread[],
): NodeDifference[] {
  const opened = new Set(after.flatMap((node) => pathOf(node).slice(0, -1)));
  const remaining = new Set([...after, ...opened]);
  const gone = new Set<string>();
  const closed = new Set<string>();
  for (const node of new Set([...before, ...threads.flatMap(({ nodes }) => nodes)])) {
    // The outermost part that is gone says all. What is in a node that is not opened is unknown.
    const end = pathOf(node).find((part) => !remaining.has(part) || (part !== node && !opened.has(part)));
    if (end !== undefined) (remaining.has(end) ? closed : gone).add(end);
  }
  const waiting = threads.map(({ id, nodes }) => ({ id, parts: new Set(nodes.flatMap(pathOf)) }));
  const threadsAt = (node: string) => waiting.filter(({ parts }) => parts.has(node)).map(({ id }) => id);
  return [
    ...[...gone].map((node) => ({ graph, kind: "node_gone", node, threads: threadsAt(node) }) as const),
    ...[...closed].map(
      (node) => ({ graph, kind: "not_compared", reason: { kind: "subgraph", node } }) as const,
    ),
  ];
}

/** `a`, `a:b` and `a:b:c` for `a:b:c`. */
function pathOf(node: string): string[] {
  const names = node.split(separator);
  return names.map((_name, index) => names.slice(0, index + 1).join(separator));
}
