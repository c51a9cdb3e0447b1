import { isDeepStrictEqual } from "node:util";
import type { Result } from "../../errors.ts";
import type {
  ContractChange,
  ContractDifference,
  NotCompared,
  SchemaDifference,
  SchemaKind,
} from "../../results/comparison.ts";
import { compareNodes } from "./compare-nodes.ts";
import { compareSchemas, hiddenRequirements, type SchemaUse } from "./compare-schemas.ts";
import {
  type Contract,
  type GraphContract,
  requiredSchemas,
  schemaKinds,
  type WaitingThread,
} from "./contract.ts";
import { saysNothing } from "./schema-document.ts";
import { isObstacle, type SchemaFinding } from "./schema-finding.ts";

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
    if (next === undefined) return [{ graph, kind: "graph_gone", threads: own.map(({ id }) => id) }];
    return compareGraph(graph, { before: before.graphs.get(graph) ?? unlisted, after: next }, own);
  });
  const added = [...after.graphs.keys()].filter((graph) => !before.graphs.has(graph));
  differences.push(...added.map((graph) => ({ graph, kind: "graph_new" }) as const));
  const changes = differences.map((difference) => ({ ...difference, breaking: isBreaking(difference) }));
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

/** Whether nothing was compared but the names of graphs: of those that both serve, neither nodes nor a schema. */
export function comparesOnlyNames(before: Contract, after: Contract): boolean {
  const pairs = [...before.graphs].flatMap(([graph, contract]) => {
    const next = after.graphs.get(graph);
    return next === undefined ? [] : [[contract, next] as const];
  });
  return pairs.length > 0 && !pairs.some(([one, other]) => hasNodes(one, other) || hasSchema(one, other));
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
  return findingsOf(schema, before, after).map(({ path, difference }): ContractDifference => {
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

const uses: Readonly<Record<SchemaKind, SchemaUse>> = {
  input: "accepted",
  config: "accepted",
  context: "accepted",
  output: "returned",
  state: "kept",
};

function findingsOf(schema: SchemaKind, before: unknown, after: unknown): readonly SchemaFinding[] {
  const findings = compareSchemas(before, after, uses[schema]);
  if (schema === "input") return [...findings, ...hiddenRequirements(before, after)];
  if (schema !== "state") return findings;
  // A wider type is another one too, though what threads keep is still valid.
  const isKnown = (path: readonly string[]) => findings.some((one) => isDeepStrictEqual(one.path, path));
  const wider = compareSchemas(before, after, "returned").filter(
    ({ path, difference }) => "change" in difference && !isKnown(path),
  );
  return [...findings, ...wider];
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
