import { code, count, joined, listOf, type Message, text } from "../text/message.ts";

/** A schema of a graph: what it takes, returns or keeps. */
export type SchemaKind = "input" | "output" | "config" | "context" | "state";

/** Something that differs between what two agents serve. */
export interface ContractChange {
  readonly graph: string;
  readonly kind: "graph" | "node" | SchemaKind;
  /**
   * `breaking`: for callers, clients or waiting threads. `not_compared`: an agent reports no schema. `by_hand`: nobody but a
   * person can tell.
   */
  readonly severity: "breaking" | "not_compared" | "by_hand" | "note";
  /** The node, or the property, such as `messages[].content`; empty for the whole. */
  readonly path: string;
  /** What it is, whom it concerns and what to do, as sentences. */
  readonly message: Message;
  /** How many waiting threads it concerns. */
  readonly threads: number;
}

/**
 * A sentence such as `4 threads are waiting at it, such as a, b and c.`; undefined if there are none. `where`: such as `at it`.
 */
export function describeWaiting(threads: readonly string[], where: Message): Message | undefined {
  if (threads.length === 0) return undefined;
  const examples = listOf(threads.slice(0, 3).map((thread) => code(thread, 60)));
  if (threads.length === 1) return text`1 thread is waiting ${where}: ${examples}.`;
  const those = threads.length > 3 ? text`, such as ` : text`: `;
  return text`${count(threads.length)} threads are waiting ${where}${those}${examples}.`;
}

/** The breaking changes first, then those that nobody but a person can judge. */
export function bySeverity(changes: readonly ContractChange[]): ContractChange[] {
  const order = ["breaking", "not_compared", "by_hand", "note"];
  return changes.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** What a comparison found in a few words, as a part of a sentence. `isPartial`: whether something could not be read. */
export function summarizeChanges(changes: readonly ContractChange[], isPartial: boolean): Message {
  const countOf = (severity: ContractChange["severity"]) =>
    changes.filter((change) => change.severity === severity).length;
  const [breaking, notCompared, byHand] = [countOf("breaking"), countOf("not_compared"), countOf("by_hand")];
  const parts = [
    breaking > 0 && text`${breaking} breaking ${breaking === 1 ? text`change` : text`changes`}`,
    notCompared > 0 && text`${notCompared} ${notCompared === 1 ? text`schema` : text`schemas`} not compared`,
    byHand > 0 && text`${byHand} ${byHand === 1 ? text`difference` : text`differences`} to check by hand`,
    isPartial && text`not everything could be read`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? text`no breaking change` : joined(parts, ", ");
}
