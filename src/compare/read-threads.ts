import * as v from "valibot";
import { Failure, toResult } from "../errors.ts";
import { code, text } from "../text/message.ts";
import { type AgentReader, SegmentSchema } from "./agent-reader.ts";
import { isWorkingNode, nodeSeparator } from "./read-contract.ts";

/** A thread that goes on with the newest graph. */
export interface WaitingThread {
  readonly id: string;
  readonly graph: string;
  /** The nodes that it goes on with, named as in `GraphContract`. */
  readonly nodes: readonly string[];
}

/** The threads that wait, as far as they were read. */
export interface WaitingThreads {
  /** Newest first. */
  readonly threads: readonly WaitingThread[];
  /** How many there are; undefined if only known to be more. */
  readonly total: number | undefined;
}

const statuses = ["interrupted", "busy"] as const;

/** Of each status. */
const maxThreads = 200;

const MetadataSchema = v.nullish(v.looseObject({ graph_id: v.optional(v.unknown()) }));
const ThreadListSchema = v.array(v.looseObject({ thread_id: SegmentSchema, metadata: MetadataSchema }));
type ListedThread = v.InferOutput<typeof ThreadListSchema>[number];

const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * The threads that wait for somebody or are busy, and the nodes that they go on with. What can't be read of them is left out,
 * and counted.
 *
 * @throws Failure if none could be read
 */
export async function readThreads(reader: AgentReader): Promise<WaitingThreads> {
  const { listed, total, failures } = await listWaiting(reader);
  const threads = new Map<string, WaitingThread>();
  await reader.forEach(listed, async (thread) => {
    const result = await toResult(() => readThread(reader, thread), reader.cancelled);
    if ("value" in result) threads.set(thread.thread_id, result.value);
    else failures.push(result.error);
  });
  if (threads.size === 0 && failures[0] !== undefined) throw failures[0];
  return { threads: listed.flatMap(({ thread_id: id }) => threads.get(id) ?? []), total };
}

interface ListedThreads {
  readonly listed: readonly ListedThread[];
  readonly total: number | undefined;
  readonly failures: Failure[];
}

async function listWaiting(reader: AgentReader): Promise<ListedThreads> {
  // A thread may go from one status to the other meanwhile.
  const byId = new Map<string, ListedThread>();
  let further: number | undefined = 0;
  const failures: Failure[] = [];
  for (const status of statuses) {
    const result = await toResult(() => listThreads(reader, status), reader.cancelled);
    if ("error" in result) {
      failures.push(result.error);
      further = undefined;
      continue;
    }
    for (const thread of result.value.listed) byId.set(thread.thread_id, thread);
    const { beyond } = result.value;
    further = further === undefined || beyond === undefined ? undefined : further + beyond;
  }
  const total = further === undefined ? undefined : byId.size + further;
  return { listed: [...byId.values()], total, failures };
}

/** `beyond`: how many more there are. */
async function listThreads(
  reader: AgentReader,
  status: (typeof statuses)[number],
): Promise<{ readonly listed: readonly ListedThread[]; readonly beyond: number | undefined }> {
  const listed = await reader.read("/threads/search", ThreadListSchema, {
    status,
    limit: maxThreads,
    offset: 0,
    sort_by: "updated_at",
    sort_order: "desc",
    // Their values may be large.
    select: ["thread_id", "metadata"],
  });
  if (listed.length < maxThreads) return { listed, beyond: 0 };
  const count = await toResult(
    () => reader.read("/threads/count", CountSchema, { status }),
    reader.cancelled,
  );
  return { listed, beyond: "value" in count ? Math.max(count.value - listed.length, 0) : undefined };
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

const ThreadStateSchema = v.intersect([StateSchema, v.looseObject({ metadata: MetadataSchema })]);

async function readThread(
  reader: AgentReader,
  { thread_id: id, metadata }: ListedThread,
): Promise<WaitingThread> {
  const state = await reader.read(`/threads/${id}/state?subgraphs=true`, ThreadStateSchema);
  const graph = metadata?.graph_id ?? state.metadata?.graph_id;
  if (typeof graph === "string") return { id, graph, nodes: [...new Set(nodesOf(state))] };
  throw new Failure(text`The agent does not report the graph of thread ${code(id)}.`, {
    hint: text`Look at the thread on the platform.`,
  });
}

/** The nodes of a state and of its subgraphs, each behind the node of its subgraph. */
function nodesOf({ next, tasks }: ThreadState, prefix = ""): string[] {
  const pending = (tasks ?? []).filter(({ result }) => result === undefined || result === null);
  const own = [...next, ...pending.map(({ name }) => name)].map((name) => prefix + name);
  const below = (tasks ?? []).flatMap(({ name, state }) =>
    state ? nodesOf(state, prefix + name + nodeSeparator) : [],
  );
  return [...own, ...below].filter(isWorkingNode);
}
