import * as v from "valibot";
import { Failure, type Result, toResult } from "../../errors.ts";
import { ResponseError } from "../../http/response-error.ts";
import type { SchemaKind } from "../../results/comparison.ts";
import { text } from "../../text/message.ts";
import { type AgentReader, SegmentSchema } from "./agent-reader.ts";

/** What an agent serves. */
export interface Contract {
  /** By the graph's id. */
  readonly graphs: ReadonlyMap<string, GraphContract>;
}

export interface GraphContract {
  /** Undefined: the agent has none. */
  readonly schemas: Result<Readonly<Partial<Record<SchemaKind, unknown>>>>;
  /** Such as `write`, and `research:search` for the node `search` of a subgraph `research` that the agent shows. */
  readonly nodes: Result<readonly string[]>;
}

/** Without the other kinds, agents have no config or context that callers give. */
export const requiredSchemas: readonly SchemaKind[] = ["input", "output", "state"];
export const schemaKinds: readonly SchemaKind[] = [...requiredSchemas, "config", "context"];

/** Between the name of a subgraph's node and the names in it. No name of a node contains it. */
export const nodeSeparator = ":";

const pageSize = 100;
/** Of one graph, those of its subgraphs included. */
const maxNodes = 5000;

const AssistantListSchema = v.array(
  v.looseObject({
    assistant_id: SegmentSchema,
    graph_id: v.string(),
    metadata: v.nullish(v.looseObject({ created_by: v.optional(v.unknown()) })),
  }),
);

/**
 * What an agent serves: its graphs, and of each its schemas and its nodes, or why they could not be read.
 *
 * @throws Failure if the graphs could not be listed, or nothing else could be read, and the reason of `cancelled`.
 */
export async function readContract(reader: AgentReader, cancelled: AbortSignal): Promise<Contract> {
  const assistants = await readAssistants(reader);
  const graphs = new Map<string, GraphContract>();
  await reader.forEach(assistants, async ([graph, id]) => {
    graphs.set(graph, {
      nodes: await toResult(() => readNodes(reader, id), cancelled),
      schemas: await toResult(() => readSchemas(reader, id), cancelled),
    });
  });
  const parts = [...graphs.values()].flatMap(({ nodes, schemas }): Result<unknown>[] => [nodes, schemas]);
  const [first] = parts;
  if (first !== undefined && "error" in first && parts.every((part) => "error" in part)) throw first.error;
  // Agents list them in any order.
  const entries = [...assistants.keys()].toSorted().flatMap((graph) => {
    const contract = graphs.get(graph);
    return contract === undefined ? [] : ([[graph, contract]] as const);
  });
  return { graphs: new Map(entries) };
}

/** The ids of the assistants that the server made of its graphs, by graph. */
async function readAssistants(reader: AgentReader): Promise<ReadonlyMap<string, string>> {
  const seen = new Set<string>();
  const byGraph = new Map<string, string>();
  for (let isNew = true; isNew; ) {
    const page = { metadata: { created_by: "system" }, limit: pageSize, offset: seen.size };
    const read = () => reader.read("/assistants/search", AssistantListSchema, page);
    const listed = seen.size === 0 ? await reader.wake(read) : await read();
    isNew = listed.some(({ assistant_id: id }) => !seen.has(id));
    for (const { assistant_id: id, graph_id: graph, metadata } of listed) {
      seen.add(id);
      if (metadata?.created_by === "system" && !byGraph.has(graph)) byGraph.set(graph, id);
    }
  }
  return byGraph;
}

async function readSchemas(
  reader: AgentReader,
  assistantId: string,
): Promise<Readonly<Partial<Record<SchemaKind, unknown>>>> {
  const schemas = await reader.read(`/assistants/${assistantId}/schemas`, v.record(v.string(), v.unknown()));
  return Object.fromEntries(schemaKinds.map((kind) => [kind, schemas[`${kind}_schema`]]));
}

const GraphSchema = v.looseObject({
  nodes: v.array(v.looseObject({ id: v.union([v.string(), v.number()]) })),
});

async function readNodes(reader: AgentReader, assistantId: string): Promise<readonly string[]> {
  const path = `/assistants/${assistantId}/graph`;
  const { nodes } = await reader.read(`${path}?xray=true`, GraphSchema).catch((error) => {
    const isRefused = error instanceof ResponseError && error.kind === "refused";
    if (!isRefused) throw error;
    return reader.read(path, GraphSchema);
  });
  if (nodes.length > maxNodes) {
    throw new Failure(text`The graph has more than ${maxNodes} nodes.`, {
      hint: text`Compare the graph by hand.`,
    });
  }
  return nodes.map(({ id }) => String(id)).filter(isWorkingNode);
}

/** Whether a node does something: a graph and each of its subgraphs also list where they start and end. */
export function isWorkingNode(name: string): boolean {
  return !["__start__", "__end__"].includes(name.slice(name.lastIndexOf(nodeSeparator) + 1));
}
