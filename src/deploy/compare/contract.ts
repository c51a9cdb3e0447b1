import type { Result } from "../../errors.ts";
import type { SchemaKind, ThreadsRead } from "../../results/comparison.ts";

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

/** A thread that goes on with the newest graph. */
export interface WaitingThread {
  readonly id: string;
  readonly graph: string;
  /** The nodes that it goes on with, named as in `GraphContract`. */
  readonly nodes: readonly string[];
}

/** The threads that wait, as far as they were read. */
export interface WaitingThreads extends ThreadsRead {
  readonly threads: readonly WaitingThread[];
}

/** Between the name of a subgraph's node and the names in it. No name of a node contains it. */
export const separator = ":";

/** Whether a node does something: a graph and each of its subgraphs also list where they start and end. */
export function isWorkingNode(name: string): boolean {
  return !["__start__", "__end__"].includes(name.slice(name.lastIndexOf(separator) + 1));
}
