import type { ContractChange, SchemaKind, ThreadsRead } from "../../results/comparison.ts";
import { code, count, joined, listed, type Message, text } from "../../text/message.ts";
import { adviceForNotCompared, describeNotCompared, describeProperty } from "./not-compared.ts";

/** A difference between two agents, for people. */
interface DescribedChange {
  /** A sentence. */
  readonly what: Message;
  /** What to do, as a sentence. */
  readonly advice?: Message | undefined;
}

/** What a change is. `read`: undefined if the threads that wait could not be read. */
export function describeContractChange(
  change: ContractChange,
  read: ThreadsRead | undefined,
): DescribedChange {
  const graph = code(change.graph, 100);
  switch (change.kind) {
    case "graph_gone":
      return change.wasShown
        ? {
            what: joined([text`Graph ${graph} was removed.`, waiting(change.threads, text`on it`)]),
            advice: text`Keep the graph until nobody calls it and its threads have ended.`,
          }
        : describeStranded(
            text`Graph ${graph} is missing. The compared agent does not list it either.`,
            text`on it`,
            change.threads,
            text`the graph`,
          );
    case "graph_new":
      return { what: text`Graph ${graph} is new.` };
    case "node_gone":
      return describeNode(change, read);
    case "schema":
      return {
        what: describeSchemaChange(change),
        advice: change.breaking ? schemaAdvice[change.schema](change.threads.length) : undefined,
      };
    case "not_compared":
      return {
        what: text`Graph ${graph}: ${describeNotCompared(change.reason)}.`,
        advice: adviceForNotCompared(change.reason),
      };
  }
}

/** The mark of a change: breaking, not compared, or only worth a note. */
export function markOf(change: ContractChange): "💥" | "❓" | "ℹ️" {
  if (change.breaking) return "💥";
  return change.kind === "not_compared" ? "❓" : "ℹ️";
}

type ChangeOf<Kind extends ContractChange["kind"]> = Extract<ContractChange, { kind: Kind }>;

function describeNode(
  { graph, node, threads, wasShown }: ChangeOf<"node_gone">,
  read: ThreadsRead | undefined,
): DescribedChange {
  if (!wasShown) {
    const missing = text`Node ${code(node, 100)} is missing from graph ${code(graph, 100)}. The compared agent does not show it either.`;
    return describeStranded(missing, text`at it`, threads, text`the node`);
  }
  const gone = text`Node ${code(node, 100)} was removed from graph ${code(graph, 100)}.`;
  if (threads.length === 0) {
    return { what: joined([gone, read === undefined ? unknownThreads : noThread(read)]) };
  }
  const isOne = threads.length === 1;
  const finished = isOne ? text`the thread has finished` : text`the threads have finished`;
  const them = isOne ? text`the thread` : text`the threads`;
  return {
    what: joined([gone, waiting(threads, text`at it`)]),
    advice: text`Keep the node, or put it back, until ${finished}. After a rename, keep both nodes. Alternatively, resume ${them} on a version that has the node, or delete ${them}.`,
  };
}

/** Threads that wait where neither of the two agents shows anything: an earlier version left them, or the compared agent hides it. */
function describeStranded(
  missing: Message,
  where: Message,
  threads: readonly string[],
  what: Message,
): DescribedChange {
  return {
    what: joined([missing, waiting(threads, where)]),
    advice: text`Add ${what}, or delete the waiting threads. If the compared agent lacks it too, they are stranded already.`,
  };
}

const unknownThreads = text`Could not read which threads are waiting at it.`;

function noThread(read: ThreadsRead): Message {
  return isComplete(read)
    ? text`No thread is waiting at it.`
    : text`None of the ${count(read.read)} threads that were read is waiting at it.`;
}

/** Whether all threads that wait were read. */
export function isComplete({ read, total }: ThreadsRead): boolean {
  return total !== undefined && read >= total;
}

/** Such as `200 of 1,240`. */
export function describeRead({ read, total }: ThreadsRead): Message {
  return total === undefined ? text`only ${count(read)}` : text`${count(read)} of ${count(total)}`;
}

/** Such as `4 threads wait at it, such as a, b and c.`; undefined if there are none. `where`: such as `at it`. */
function waiting(threads: readonly string[], where: Message): Message | undefined {
  if (threads.length === 0) return undefined;
  const examples = listed(threads.slice(0, 3).map((thread) => code(thread, 60)));
  if (threads.length === 1) return text`1 thread is waiting ${where}: ${examples}.`;
  const those = threads.length > 3 ? text`, such as ` : text`: `;
  return text`${count(threads.length)} threads are waiting ${where}${those}${examples}.`;
}

const schemaNames: Readonly<Record<SchemaKind, Message>> = {
  input: text`Input`,
  output: text`Output`,
  config: text`Config`,
  context: text`Context`,
  state: text`State`,
};

function describeSchemaChange({ graph, schema, path, difference, threads }: ChangeOf<"schema">): Message {
  const place = path.length === 0 ? text`the schema` : describeProperty(path);
  const subject = text`${schemaNames[schema]} of graph ${code(graph, 100)}: ${place}`;
  const described = (change: Message) =>
    joined([text`${subject} ${change}.`, waiting(threads, text`with this state`)]);
  switch (difference.kind) {
    case "gone":
      return described(text`was removed`);
    case "newly_required":
      return described(text`is now required`);
    case "no_longer_required":
      return described(text`is no longer required`);
    case "type": {
      const types = text`from ${code(difference.before, 100)} to ${code(difference.after, 100)}`;
      return described(text`changed type ${types}`);
    }
    case "values": {
      const values = listed(difference.values.slice(0, 5).map((value) => code(value, 60)));
      const more = difference.values.length > 5 ? text` and others` : undefined;
      const change = difference.change === "narrower" ? text`no longer allows` : text`now also allows`;
      return described(text`${change} ${values}${more}`);
    }
  }
}

const forCallers = text`Keep accepting what callers send until all callers are updated.`;
/** What to do about a breaking change of a schema; `threads`: how many wait with such a state. */
const schemaAdvice: Readonly<Record<SchemaKind, (threads: number) => Message>> = {
  input: () => forCallers,
  output: () => text`Keep returning what clients expect until all clients are updated.`,
  config: () => forCallers,
  context: () => forCallers,
  state: (threads) =>
    threads === 1
      ? text`Keep the former property until this thread has finished, or resume or delete it first.`
      : text`Keep the former property until these threads have finished, or resume or delete them first.`,
};
