import * as v from "valibot";
import { Failure, type Result, toResult } from "../errors.ts";
import { RequestError } from "../http/request-error.ts";
import { asObject } from "../text/json.ts";
import { code, count, inputName, text } from "../text/message.ts";
import { type AgentReader, SegmentSchema } from "./agent-reader.ts";
import type { SchemaKind } from "./contract-change.ts";
import { expandSchema } from "./schema.ts";

/** What an agent serves: its graphs by their ids, in alphabetical order. */
export type Contract = ReadonlyMap<string, GraphContract>;

export interface GraphContract {
  /** Expanded; undefined if the agent reports none. */
  readonly schemas: Result<ReadonlyMap<SchemaKind, unknown>>;
  /** Such as `write`, and `research:search` for the node `search` of a subgraph `research` that the agent shows. */
  readonly nodes: Result<readonly string[]>;
}

export const schemaKinds: readonly SchemaKind[] = ["input", "output", "state", "config", "context"];

/** Stands between the name of a subgraph's node and the names in it. No name of a node contains it. */
export const nodeSeparator = ":";

/** The largest page that every known agent server lists. */
const pageSize = 100;
/** A list may never end, if the server ignores the offset. */
const maxListed = 10_000;

const AssistantListSchema = v.array(v.looseObject({ assistant_id: SegmentSchema, graph_id: v.string() }));
type AssistantList = v.InferOutput<typeof AssistantListSchema>;

/** Reads what an agent serves. @throws Failure if the graphs, or the nodes of all of them, can't be read */
export async function readContract(reader: AgentReader): Promise<Contract> {
  const assistants = await readAssistants(reader);
  const graphs = await reader.each(assistants, async ({ graph_id: graph, assistant_id: id }) => {
    const nodes = await toResult(() => readNodes(reader, id), reader.cancelled);
    const schemas = await toResult(() => readSchemas(reader, id), reader.cancelled);
    return [graph, { nodes, schemas }] as const;
  });
  const failures = graphs.flatMap(([, { nodes }]) => ("error" in nodes ? [nodes.error] : []));
  if (failures[0] !== undefined && failures.length === graphs.length) throw failures[0];
  const served = graphs.filter(([, graph]) => !isRemoved(graph));
  return new Map(served.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether the agent has no such graph any more: its assistant stays in the database, which an older version may share. */
function isRemoved({ nodes, schemas }: GraphContract): boolean {
  return [nodes, schemas].every(
    (part) => "error" in part && part.error instanceof RequestError && part.error.status === 404,
  );
}

/** The assistants that the server made of its graphs. */
async function readAssistants(reader: AgentReader): Promise<AssistantList> {
  const listed = (await listAssistants(reader)).filter(isOfServer);
  if (listed.length > 0) return listed;
  throw new Failure(text`The agent lists no graphs of its own.`, {
    hint: text`Check that it is an agent server. If it lists its graphs only with a key, check ${inputName("agent_headers")}.`,
  });
}

/** A server may ignore the filter of the search. */
function isOfServer({ metadata }: AssistantList[number]): boolean {
  return (asObject(metadata)?.created_by ?? "system") === "system";
}

async function listAssistants(reader: AgentReader): Promise<AssistantList> {
  const listed: AssistantList = [];
  while (listed.length < maxListed) {
    const query = { metadata: { created_by: "system" }, limit: pageSize, offset: listed.length };
    const page = await reader.readFirst("/assistants/search", AssistantListSchema, query);
    listed.push(...page);
    if (page.length < pageSize) return listed;
  }
  throw new Failure(text`The agent's list of graphs does not end after ${count(maxListed)}.`, {
    hint: text`Check that it is an agent server, whose ${code("POST /assistants/search")} respects ${code("offset")}.`,
  });
}

async function readSchemas(reader: AgentReader, id: string): Promise<ReadonlyMap<SchemaKind, unknown>> {
  const schemas = await reader.read(`/assistants/${id}/schemas`, v.record(v.string(), v.unknown()));
  return new Map(schemaKinds.map((kind) => [kind, expandSchema(schemas[`${kind}_schema`])]));
}

const GraphSchema = v.looseObject({
  nodes: v.array(v.looseObject({ id: v.union([v.string(), v.number()]) })),
});

async function readNodes(reader: AgentReader, id: string): Promise<readonly string[]> {
  const path = `/assistants/${id}/graph`;
  const { nodes } = await reader.readEither(GraphSchema, { path: `${path}?xray=true` }, { path });
  const names = nodes.map((node) => String(node.id)).filter(isWorkingNode);
  if (names.length > 0) return names;
  throw new Failure(text`${code(`GET ${path}`)} returned no nodes.`, {
    hint: text`If the agent shows them only with a key, check ${inputName("agent_headers")}.`,
  });
}

/** Whether a node does something: a graph and each of its subgraphs also list where they start and end. */
export function isWorkingNode(name: string): boolean {
  return !["__start__", "__end__"].includes(name.slice(name.lastIndexOf(nodeSeparator) + 1));
}
