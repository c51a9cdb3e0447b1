import type { ContractDifference } from "../../comparison-results.ts";
import type { WaitingThread } from "./contract.ts";
import { separator } from "./node-name.ts";

type NodeDifference = Extract<ContractDifference, { kind: "node_gone" | "not_compared" }>;

/**
 * The nodes that are gone, and those that the new server does not show. A node that became a subgraph is not gone.
 * `threads`: those of this graph that wait; their nodes count even if `before` lacks them.
 */
export function compareNodes(
  graph: string,
  before: readonly string[],
  after: readonly string[],
  threads: readonly WaitingThread[],
): NodeDifference[] {
  const remaining = new NodeTree(after);
  const waitingAt = threads.flatMap(({ nodes }) => nodes);
  const changes = new Map<string, NodeDifference>();
  for (const node of new Set([...before, ...waitingAt])) {
    const fate = remaining.fateOf(node);
    if (fate.kind === "gone" && !changes.has(`gone ${fate.node}`)) {
      changes.set(`gone ${fate.node}`, {
        graph,
        kind: "node_gone",
        node: fate.node,
        threads: threads.filter(({ nodes }) => nodes.some((one) => isIn(one, fate.node))).map(({ id }) => id),
      });
    }
    if (fate.kind === "not_shown") {
      const reason = { kind: "subgraph", node: fate.node } as const;
      changes.set(`not shown ${fate.node}`, { graph, kind: "not_compared", reason });
    }
  }
  return [...changes.values()];
}

function isIn(node: string, ancestor: string): boolean {
  return node === ancestor || node.startsWith(ancestor + separator);
}

type Fate =
  | { readonly kind: "remains" }
  /** `node`: it, or the outermost one around it that is gone too. */
  | { readonly kind: "gone"; readonly node: string }
  /** `node`: a subgraph whose nodes are not shown. */
  | { readonly kind: "not_shown"; readonly node: string };

/** The nodes of a graph, and the subgraphs around them. */
class NodeTree {
  /** Shown as nodes, so what is in them is unknown. */
  readonly #leaves: ReadonlySet<string>;
  readonly #all: ReadonlySet<string>;

  constructor(nodes: readonly string[]) {
    const opened = new Set(nodes.flatMap((node) => pathOf(node).slice(0, -1)));
    this.#leaves = new Set(nodes.filter((node) => !opened.has(node)));
    this.#all = new Set([...nodes, ...opened]);
  }

  fateOf(node: string): Fate {
    for (const part of pathOf(node)) {
      if (!this.#all.has(part)) return { kind: "gone", node: part };
      if (part !== node && this.#leaves.has(part)) return { kind: "not_shown", node: part };
    }
    return { kind: "remains" };
  }
}

/** `a`, `a:b` and `a:b:c` for `a:b:c`. */
function pathOf(node: string): string[] {
  const names = node.split(separator);
  return names.map((_name, index) => names.slice(0, index + 1).join(separator));
}
