import type { Failure } from "../errors.ts";
import {
  code,
  commaList,
  count,
  joined,
  listOf,
  type Message,
  type Phrase,
  phrase,
  text,
} from "../text/message.ts";

export const schemaKinds = ["input", "output", "state", "config", "context"] as const;
export type SchemaKind = (typeof schemaKinds)[number];

export interface ContractChange {
  readonly graph: string;
  readonly kind: "graph" | "node" | SchemaKind;
  /** Whether it breaks callers, clients or waiting threads. For `byHand`, only a person can decide that. */
  readonly severity: "breaking" | "byHand" | "note";
  /** The node, or the property, such as `messages[].content`; empty for the whole graph or schema. */
  readonly path: string;
  /** Sentences about the change, the affected threads and the next step. */
  readonly message: Message;
  /** The number of affected threads that are waiting. */
  readonly threadCount: number;
}

/** What could not be compared. */
export interface Gap {
  readonly message: Message;
  /** Whether it fails a gate: a breaking change could be in it, and the agent to compare with shows that part. */
  readonly failsGate: boolean;
}

/** Returns the gap that a failure leaves. `sentence`: what could not be read. */
export function gapOf(sentence: Message, { ending: { message, hint } }: Failure, failsGate: boolean): Gap {
  return { message: joined([sentence, message, hint]), failsGate };
}

/** Returns a sentence such as `2 threads are waiting at it: a and b.`, where `at it` is given; undefined without threads. */
export function describeWaiting(threadIds: readonly string[], where: Phrase): Message | undefined {
  if (threadIds.length === 0) return undefined;
  const are = threadIds.length === 1 ? phrase`thread is` : phrase`threads are`;
  const examples = threadIds.slice(0, 3).map((id) => code(id, 60));
  const others = threadIds.length > 3 ? [phrase`others`] : [];
  return text`${count(threadIds.length)} ${are} waiting ${where}: ${listOf([...examples, ...others])}.`;
}

export function summarizeChanges(changes: readonly ContractChange[], gaps: readonly Gap[]): Phrase {
  const breaking = changes.filter(({ severity }) => severity === "breaking").length;
  const byHand = changes.filter(({ severity }) => severity === "byHand").length;
  const parts = [
    breaking > 0 && phrase`${breaking} breaking ${breaking === 1 ? phrase`change` : phrase`changes`}`,
    byHand > 0 && phrase`${byHand} to check by hand`,
    gaps.length > 0 && phrase`not everything could be read`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? phrase`no breaking change` : commaList(parts);
}
