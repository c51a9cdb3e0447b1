import * as v from "valibot";
import { Failure, type Result, toResult, undefinedIf } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { apiPath } from "../http/url.ts";
import { inputName, text } from "../text/message.ts";
import { IdSchema } from "../text/schemas.ts";
import { type AgentReader, mapInParallel } from "./agent-reader.ts";
import { type SchemaKind, schemaKinds } from "./contract-change.ts";
import { expandSchema } from "./expand-schema.ts";

/** The graphs that an agent serves, as far as they could be read. */
export interface Contract {
  /** By their IDs, in alphabetical order. */
  readonly graphs: ReadonlyMap<string, GraphContract>;
}

export interface GraphContract {
  /** The expanded schemas; undefined for a kind that the agent does not report. */
  readonly schemas: Result<ReadonlyMap<SchemaKind, unknown>>;
  /** Such as `write`, and `research:search` for the node `search` of a subgraph `research`. */
  readonly nodes: Result<readonly string[]>;
}

/** Separates a subgraph from its nodes. Names of nodes do not contain it. */
export const nodeSeparator = ":";

/** @throws Failure if the graphs, or the nodes of all of them, can't be read */
export async function readContract(reader: AgentReader): Promise<Contract> {
  const read = await mapInParallel(await readAssistants(reader), async ({ graph_id, assistant_id: id }) => {
    const nodes = await toResult(() => readNodes(reader, id));
    const schemas = await toResult(() => readSchemas(reader, id));
    return [graph_id, { nodes, schemas }] as const;
  });
  // An agent that shares its database with an older version may list a graph that it no longer has.
  const served = read.filter(
    ([, { nodes, schemas }]) => ![nodes, schemas].every(({ error }) => hasStatus(error, 404)),
  );
  const [firstError] = [...served, ...read].flatMap(([, { nodes }]) => nodes.error ?? []);
  if (firstError !== undefined && served.every(([, { nodes }]) => nodes.error !== undefined))
    throw firstError;
  return { graphs: new Map(served) };
}

const AssistantListSchema = v.array(v.looseObject({ assistant_id: IdSchema, graph_id: v.string() }));

/** Reads the assistants that the server created for its graphs. They are sorted, because servers list them in any order. */
async function readAssistants(reader: AgentReader): Promise<v.InferOutput<typeof AssistantListSchema>> {
  const search = { metadata: { created_by: "system" } };
  const listed = await reader.readPages("/assistants/search", AssistantListSchema, search);
  if (listed.length > 0) return listed.toSorted((one, other) => (one.graph_id < other.graph_id ? -1 : 1));
  throw new Failure(text`The agent lists no graphs of its own.`, {
    hint: text`Check that it is an agent server. If it shows its graphs only to some keys, check ${inputName("agent_headers")}.`,
  });
}

async function readSchemas(reader: AgentReader, id: string): Promise<ReadonlyMap<SchemaKind, unknown>> {
  const schemas = await reader.read(apiPath`/assistants/${id}/schemas`, v.record(v.string(), v.unknown()));
  return new Map(schemaKinds.map((kind) => [kind, expandSchema(schemas[`${kind}_schema`])]));
}

const GraphSchema = v.looseObject({
  // Even an empty graph has its start and its end.
  nodes: v.pipe(v.array(v.looseObject({ id: v.union([v.string(), v.number()]) })), v.nonEmpty()),
});

async function readNodes(reader: AgentReader, id: string): Promise<readonly string[]> {
  const graphPath = apiPath`/assistants/${id}/graph`;
  const withSubgraphs = await undefinedIf(
    () => reader.read(`${graphPath}?xray=true`, GraphSchema),
    (error) => hasStatus(error, 400, 404, 422),
  );
  const { nodes } = withSubgraphs ?? (await reader.read(graphPath, GraphSchema));
  return nodes.map((node) => String(node.id)).filter(isWorkingNode);
}

/** Whether a node is more than a mark for the start or end of a graph or subgraph. */
export function isWorkingNode(name: string): boolean {
  return !["__start__", "__end__"].includes(name.slice(name.lastIndexOf(nodeSeparator) + 1));
}
