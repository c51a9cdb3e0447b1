import { ResponseError } from "../../http/response-error.ts";
import type {
  ContractChange,
  NotCompared,
  SchemaKind,
  SchemaObstacle,
  ThreadsRead,
} from "../../results/comparison.ts";
import {
  code,
  count,
  joined,
  listed,
  type Message,
  quote,
  text,
  withoutFullStop,
  word,
} from "../../text/message.ts";

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
          );
    case "graph_new":
      return { what: text`Graph ${graph} is new.` };
    case "node_gone":
      return describeNode(change, read);
    case "schema":
      return {
        what: describeSchemaChange(change),
        advice: change.breaking ? schemaAdvice[change.schema].breaking : undefined,
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
    return describeStranded(missing, text`at it`, threads);
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
function describeStranded(missing: Message, where: Message, threads: readonly string[]): DescribedChange {
  return {
    what: joined([missing, waiting(threads, where)]),
    advice: text`Add it, or delete the waiting threads. If the compared agent lacks it too, they are stranded already.`,
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
  const place = path.length === 0 ? text`the schema` : text`property ${code(path.join("."), 200)}`;
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

/** What to do about a change of a schema, if it is breaking or was not compared. */
interface SchemaAdvice {
  readonly breaking: Message;
  readonly notCompared: Message;
}

const forCallers: SchemaAdvice = {
  breaking: text`Keep accepting what callers send until all callers are updated.`,
  notCompared: text`Check by hand that what callers send is still accepted.`,
};
const schemaAdvice: Readonly<Record<SchemaKind, SchemaAdvice>> = {
  input: forCallers,
  output: {
    breaking: text`Keep returning what clients expect until all clients are updated.`,
    notCompared: text`Check by hand that clients can use what is returned.`,
  },
  config: forCallers,
  context: forCallers,
  state: {
    breaking: text`Keep the former property until these threads have finished, or resume or delete them first.`,
    notCompared: text`Check by hand that waiting threads can continue with their state.`,
  },
};

function describeNotCompared(reason: NotCompared): Message {
  switch (reason.kind) {
    case "no_schema": {
      const sides = {
        before: text`the compared agent has none`,
        after: text`the new revision has none`,
        neither: text`neither agent has one`,
      } as const;
      return text`the ${word(reason.schema)} schema was not compared, because ${sides[reason.missing]}`;
    }
    case "schema": {
      const property = text`property ${code(reason.path.join("."), 200)} of the ${word(reason.schema)}`;
      const what = reason.path.length === 0 ? text`the ${word(reason.schema)} schema` : property;
      return text`${what} was not compared, because ${describeObstacle(reason.obstacle)}`;
    }
    case "unread": {
      const what = reason.what === "nodes" ? text`nodes` : text`schemas`;
      return text`the ${what} were not compared. ${withoutFullStop(reason.error.text)}`;
    }
    case "no_nodes":
      return text`the nodes were not compared, because the compared agent reports none`;
    case "subgraph":
      return text`what is in the subgraph ${code(reason.node, 100)} was not compared, because the new revision does not report it`;
  }
}

/** Whether a server can't make schemas of the graph, as far as its response shows. */
function hasNoSchemas(reason: NotCompared): boolean {
  const isOfSchemas = reason.kind === "unread" && reason.what === "schemas";
  return isOfSchemas && reason.error instanceof ResponseError && reason.error.status === 500;
}

function adviceForNotCompared(reason: NotCompared): Message | undefined {
  if (reason.kind === "schema") return schemaAdvice[reason.schema].notCompared;
  return hasNoSchemas(reason) ? noSchemasAdvice : undefined;
}

const noSchemasAdvice = text`The vendor's JavaScript server for local use returns 500 if the graph's state is not a Zod schema. The agent itself is fine.`;

/** Which part of a graph was not compared, such as `the input schema`. */
export function describeGap(reason: NotCompared): Message {
  switch (reason.kind) {
    case "no_schema":
    case "schema":
      return text`the ${word(reason.schema)} schema`;
    case "unread":
      return reason.what === "nodes" ? text`the nodes` : text`the schemas`;
    case "no_nodes":
      return text`the nodes`;
    case "subgraph":
      return text`the subgraph ${code(reason.node, 100)}`;
  }
}

function describeObstacle(obstacle: SchemaObstacle): Message {
  switch (obstacle.kind) {
    case "keyword":
      return text`its keyword ${code(obstacle.keyword, 60)} differs`;
    case "closed":
      return text`it is new, and the schema allowed no other properties, so strict clients may refuse it`;
    case "reference":
      return text`its reference ${quote(obstacle.reference, 100)} can't be followed`;
    case "required_hidden":
      return text`it is new, and neither agent says which inputs are required`;
    case "too_large":
      return text`it is too large or differs in too much`;
  }
}
