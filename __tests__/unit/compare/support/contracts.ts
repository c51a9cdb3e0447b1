import { type SchemaKind, schemaKinds } from "../../../../src/compare/contract-change.ts";
import type { Contract, GraphContract } from "../../../../src/compare/read-contract.ts";
import { Failure } from "../../../../src/errors.ts";
import { text } from "../../../../src/text/message.ts";

export const object = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: [],
});
const usual: Partial<Record<SchemaKind, unknown>> = {
  input: object("question"),
  output: object("answer"),
  state: object("question", "draft"),
};

export function graph(
  nodes: readonly string[],
  changed: Partial<Record<SchemaKind, unknown>> = {},
): GraphContract {
  const schemas = { ...usual, ...changed };
  const read = new Map(schemaKinds.map((kind) => [kind, schemas[kind]]));
  return { nodes: { value: nodes }, schemas: { value: read } };
}

export const contract = (graphs: Readonly<Record<string, GraphContract>>): Contract => ({
  graphs: new Map(Object.entries(graphs)),
});
export const agentWith = (...nodes: string[]) => contract({ agent: graph(nodes) });
export const schemas = (changed: Partial<Record<SchemaKind, unknown>>) =>
  contract({ agent: graph(["write"], changed) });

/** A part of a graph that could not be read. */
export const failed = { error: new Failure(text`Failed.`, { hint: text`Try again.` }) };
