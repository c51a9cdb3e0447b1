import { code, count, joined, listOf, type Message, text } from "../text/message.ts";

/** The schemas of a graph, in words for people. */
export const schemaNames = {
  input: text`input`,
  output: text`output`,
  state: text`state`,
  config: text`config`,
  context: text`context`,
};
export type SchemaKind = keyof typeof schemaNames;

/** A difference of two agents. */
export interface ContractChange {
  readonly graph: string;
  readonly kind: "graph" | "node" | SchemaKind;
  /** `breaking`: for callers, clients or waiting threads. `byHand`: only a person can decide. */
  readonly severity: "breaking" | "byHand" | "note";
  /** The node, or the property, such as `messages[].content`; empty for the whole graph or schema. */
  readonly path: string;
  /** Sentences about the change, the affected threads and the next step. */
  readonly message: Message;
  /** The number of affected threads that are waiting. */
  readonly threadCount: number;
}

/** Returns a sentence such as `2 threads are waiting at it: a and b.`; undefined without threads. `where`: such as `at it`. */
export function describeWaiting(threads: readonly string[], where: Message): Message | undefined {
  if (threads.length === 0) return undefined;
  const are = threads.length === 1 ? text`thread is` : text`threads are`;
  const examples = threads.slice(0, 3).map((thread) => code(thread, 60));
  const others = threads.length > 3 ? [text`others`] : [];
  return text`${count(threads.length)} ${are} waiting ${where}: ${listOf([...examples, ...others])}.`;
}

/** Returns the numbers of changes as a part of a sentence. `isPartial`: whether something could not be read. */
export function summarizeChanges(changes: readonly ContractChange[], isPartial: boolean): Message {
  const countOf = (severity: ContractChange["severity"]) =>
    changes.filter((change) => change.severity === severity).length;
  const [breaking, byHand] = [countOf("breaking"), countOf("byHand")];
  const parts = [
    breaking > 0 && text`${breaking} breaking ${breaking === 1 ? text`change` : text`changes`}`,
    byHand > 0 && text`${byHand} to check by hand`,
    isPartial && text`not everything could be read`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? text`no breaking change` : joined(parts, ", ");
}
