import * as v from "valibot";
import { type Failure, toResult } from "../errors.ts";
import { type Message, text } from "../text/message.ts";
import { type AgentReader, SegmentSchema } from "./agent-reader.ts";
import { isWorkingNode, nodeSeparator } from "./read-contract.ts";

/** A thread that continues with the newest graph. */
export interface WaitingThread {
  readonly id: string;
  readonly graph: string;
  /** The nodes that it continues with, named as in `GraphContract`. */
  readonly nodes: readonly string[];
}

export interface WaitingThreads {
  /** Newest first. */
  readonly threads: readonly WaitingThread[];
  /** What was not read, as sentences. */
  readonly gaps: readonly Message[];
}

/** Of each status. */
const maxThreads = 200;

const ThreadListSchema = v.array(
  v.looseObject({ thread_id: SegmentSchema, metadata: v.looseObject({ graph_id: v.string() }) }),
);

/** The threads that wait for somebody or are busy, and the nodes that they continue with. @throws Failure if none can be read */
export async function readThreads(reader: AgentReader): Promise<WaitingThreads> {
  const interrupted = await listThreads(reader, "interrupted");
  const busy = await listThreads(reader, "busy");
  // A thread may change its status meanwhile.
  const graphs = new Map([...interrupted, ...busy].map((one) => [one.thread_id, one.metadata.graph_id]));
  const nodes = new Map<string, readonly string[]>();
  const failures: Failure[] = [];
  await reader.forEach(graphs.keys(), async (id) => {
    const state = await toResult(
      () => reader.read(`/threads/${id}/state?subgraphs=true`, StateSchema),
      reader.cancelled,
    );
    if ("error" in state) failures.push(state.error);
    else nodes.set(id, [...new Set(nodesOf(state.value))]);
  });
  if (nodes.size === 0 && failures[0] !== undefined) throw failures[0];
  const threads = [...graphs].flatMap(([id, graph]) => {
    const own = nodes.get(id);
    return own === undefined ? [] : [{ id, graph, nodes: own }];
  });
  const unread = text`Read ${threads.length} of ${graphs.size} waiting threads. Others may be waiting at a node that was removed.`;
  const older = text`Read only the newest ${maxThreads} waiting threads of each status. Older ones may be waiting at a node that was removed.`;
  const hasOlder = [interrupted, busy].some(({ length }) => length === maxThreads);
  return { threads, gaps: [...(failures.length > 0 ? [unread] : []), ...(hasOlder ? [older] : [])] };
}

async function listThreads(
  reader: AgentReader,
  status: "interrupted" | "busy",
): Promise<v.InferOutput<typeof ThreadListSchema>> {
  return await reader.read("/threads/search", ThreadListSchema, {
    status,
    limit: maxThreads,
    offset: 0,
    sort_by: "updated_at",
    sort_order: "desc",
    // Their values may be large.
    select: ["thread_id", "metadata"],
  });
}

interface ThreadState {
  readonly next: readonly string[];
  readonly tasks?: readonly TaskOfState[] | null | undefined;
}

interface TaskOfState {
  readonly name: string;
  /** Of a task that is done. */
  readonly result?: unknown;
  /** Of a subgraph that waits. */
  readonly state?: ThreadState | null | undefined;
}

/** Strict: a thread whose nodes were not understood must not count as one that waits nowhere. */
const StateSchema: v.GenericSchema<unknown, ThreadState> = v.looseObject({
  next: v.array(v.string()),
  tasks: v.nullish(
    v.array(
      v.looseObject({
        name: v.string(),
        result: v.optional(v.unknown()),
        state: v.nullish(v.lazy(() => StateSchema)),
      }),
    ),
  ),
});

/** The nodes of a state and of its subgraphs, each behind the node of its subgraph. */
function nodesOf({ next, tasks }: ThreadState, prefix = ""): string[] {
  const pending = (tasks ?? []).filter(({ result }) => result === undefined || result === null);
  const own = [...next, ...pending.map(({ name }) => name)].map((name) => prefix + name);
  const below = (tasks ?? []).flatMap(({ name, state }) =>
    state ? nodesOf(state, prefix + name + nodeSeparator) : [],
  );
  return [...own, ...below].filter(isWorkingNode);
}
