import type { Result } from "../../errors.ts";
import {
  type ContractChange,
  type ContractDifference,
  isObstacle,
  type NotCompared,
  type SchemaDifference,
  type SchemaKind,
} from "../../results/comparison.ts";
import { compareSchemas } from "./compare-schemas.ts";
import {
  type Contract,
  type GraphContract,
  nodeSeparator,
  requiredSchemas,
  schemaKinds,
} from "./read-contract.ts";
import type { WaitingThread } from "./read-threads.ts";
import { saysNothing } from "./schema-document.ts";

/**
 * What differs between what two agents serve (docs/specification.md#comparing-deployments), the breaking changes first.
 * `threads`: those that wait on the agent before.
 */
export function compareContracts(
  before: Contract,
  after: Contract,
  threads: readonly WaitingThread[],
): ContractChange[] {
  const concerned = new Set([...before.graphs.keys(), ...threads.map(({ graph }) => graph)]);
  const differences = [...concerned].flatMap((graph): ContractDifference[] => {
    const own = threads.filter((thread) => thread.graph === graph);
    const next = after.graphs.get(graph);
    if (next === undefined) {
      const wasShown = before.graphs.has(graph);
      return [{ graph, kind: "graph_gone", wasShown, threads: own.map(({ id }) => id) }];
    }
    return compareGraph(graph, { before: before.graphs.get(graph) ?? unlisted, after: next }, own);
  });
  const added = [...after.graphs.keys()].filter((graph) => !before.graphs.has(graph));
  differences.push(...added.map((graph) => ({ graph, kind: "graph_new" }) as const));
  const changes = differences.map((difference) => ({ ...difference, breaking: isBreaking(difference) }));
  return changes.toSorted((earlier, later) => rank(earlier) - rank(later));
}

/** Whether nothing was compared but the names of graphs: of those that both serve, neither nodes nor a schema. */
export function comparesOnlyNames(before: Contract, after: Contract): boolean {
  const pairs = [...before.graphs].flatMap(([graph, contract]) => {
    const next = after.graphs.get(graph);
    return next === undefined ? [] : [[contract, next] as const];
  });
  return pairs.length > 0 && !pairs.some(([own, next]) => hasNodes(own, next) || hasSchema(own, next));
}

function hasNodes({ nodes: before }: GraphContract, { nodes: after }: GraphContract): boolean {
  return "value" in before && "value" in after && before.value.length > 0;
}

function hasSchema({ schemas: before }: GraphContract, { schemas: after }: GraphContract): boolean {
  if ("error" in before || "error" in after) return false;
  return schemaKinds.some((kind) => missingSide(before.value[kind], after.value[kind]) === undefined);
}

/** A graph that an agent does not list, though threads wait on it. */
const unlisted: GraphContract = { nodes: { value: [] }, schemas: { value: {} } };

function rank({ breaking, kind }: ContractChange): number {
  if (breaking) return 0;
  return kind === "not_compared" ? 1 : 2;
}

function compareGraph(
  graph: string,
  { before, after }: { before: GraphContract; after: GraphContract },
  threads: readonly WaitingThread[],
): ContractDifference[] {
  const notCompared = (reason: NotCompared): ContractDifference => ({ graph, kind: "not_compared", reason });
  const unread = (what: "nodes" | "schemas") => {
    const error = errorOf(before[what]) ?? errorOf(after[what]);
    return error === undefined ? [] : [notCompared({ kind: "unread", what, error })];
  };
  const changes = [...unread("nodes"), ...unread("schemas")];
  const shown = "value" in before.nodes ? before.nodes.value : [];
  if ("value" in before.nodes && shown.length === 0) changes.push(notCompared({ kind: "no_nodes" }));
  // Threads wait where their states say, whatever the agent shows of its nodes.
  if ("value" in after.nodes) changes.push(...compareNodes(graph, shown, after.nodes.value, threads));
  if ("value" in before.schemas && "value" in after.schemas) {
    for (const schema of schemaKinds) {
      const pair = { before: before.schemas.value[schema], after: after.schemas.value[schema] };
      changes.push(...compareKind({ graph, schema, threads }, pair));
    }
  }
  return changes;
}

function errorOf(result: Result<unknown>) {
  return "error" in result ? result.error : undefined;
}

/**
 * The nodes that are gone, and the subgraphs whose nodes the new server does not show. A node that became a subgraph is not
 * gone. `threads`: those of this graph that wait; their nodes count even if `before` lacks them.
 */
function compareNodes(
  graph: string,
  before: readonly string[],
  after: readonly string[],
  threads: readonly WaitingThread[],
): ContractDifference[] {
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
  const known = new Set(before.flatMap(pathOf));
  // An agent that shows no nodes may have any.
  const wasShown = (node: string) => known.size === 0 || known.has(node);
  return [
    ...[...gone].map(
      (node) =>
        ({ graph, kind: "node_gone", node, wasShown: wasShown(node), threads: threadsAt(node) }) as const,
    ),
    ...[...closed].map(
      (node) => ({ graph, kind: "not_compared", reason: { kind: "subgraph", node } }) as const,
    ),
  ];
}

/** `a`, `a:b` and `a:b:c` for `a:b:c`. */
function pathOf(node: string): string[] {
  const names = node.split(nodeSeparator);
  return names.map((_name, index) => names.slice(0, index + 1).join(nodeSeparator));
}

interface Subject {
  readonly graph: string;
  readonly schema: SchemaKind;
  readonly threads: readonly WaitingThread[];
}

function compareKind(
  { graph, schema, threads }: Subject,
  { before, after }: { before: unknown; after: unknown },
): ContractDifference[] {
  const missing = missingSide(before, after);
  if (missing === "neither" && !requiredSchemas.includes(schema)) return [];
  if (missing !== undefined) {
    return [{ graph, kind: "not_compared", reason: { kind: "no_schema", schema, missing } }];
  }
  const concerned = schema === "state" ? threads.map(({ id }) => id) : [];
  return compareSchemas(schema, before, after).map(({ path, difference }): ContractDifference => {
    if (isObstacle(difference)) {
      const reason = { kind: "schema", schema, path, obstacle: difference } as const;
      return { graph, kind: "not_compared", reason };
    }
    return { graph, kind: "schema", schema, path, difference, threads: concerned };
  });
}

/** Of a schema that allows everything, there is nothing to compare. */
function missingSide(before: unknown, after: unknown): "before" | "after" | "neither" | undefined {
  const [hasBefore, hasAfter] = [!saysNothing(before), !saysNothing(after)];
  if (!hasBefore && !hasAfter) return "neither";
  if (hasBefore && hasAfter) return undefined;
  return hasBefore ? "after" : "before";
}

/** Whether a difference breaks callers, readers or threads that wait. */
function isBreaking(difference: ContractDifference): boolean {
  switch (difference.kind) {
    case "graph_gone":
      return true;
    case "node_gone":
      return difference.threads.length > 0;
    case "schema":
      return (
        difference.schema !== "state" || (difference.threads.length > 0 && !isWider(difference.difference))
      );
    case "graph_new":
    case "not_compared":
      return false;
  }
}

function isWider(difference: SchemaDifference): boolean {
  return "change" in difference && difference.change === "wider";
}
