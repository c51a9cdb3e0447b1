import * as v from "valibot";
import { Failure, toResult } from "../../errors.ts";
import { isNotFound } from "../../platform/error-kinds.ts";
import type { ThreadsRead } from "../../results/comparison.ts";
import { code, text } from "../../text/message.ts";
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
export interface WaitingThreads extends ThreadsRead {
  readonly threads: readonly WaitingThread[];
}

const statuses = ["interrupted", "busy"] as const;
type ThreadStatus = (typeof statuses)[number];
const knownStatuses: readonly unknown[] = [...statuses, "idle", "error"];

/** Of each status. */
const maxThreads = 200;
const pageSize = 50;

const MetadataSchema = v.nullish(v.looseObject({ graph_id: v.optional(v.unknown()) }));

const ThreadListSchema = v.array(
  v.looseObject({
    thread_id: SegmentSchema,
    status: v.optional(v.unknown()),
    metadata: MetadataSchema,
  }),
);
type ListedThread = v.InferOutput<typeof ThreadListSchema>[number];

const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** `further`: how many more there are; undefined if unknown. */
interface ListedThreads {
  readonly listed: readonly ListedThread[];
  readonly further: number | undefined;
}

/**
 * The threads that wait for somebody or are busy, newest first, and the nodes that they go on with. What can't be read of
 * them is left out, and counted.
 *
 * @throws Failure if none could be read, and the reason of `cancelled`.
 */
export async function readThreads(reader: AgentReader, cancelled: AbortSignal): Promise<WaitingThreads> {
  const { listed, further, error } = await listWaiting(reader, cancelled);
  let failure = error;
  const threads = new Map<string, WaitingThread>();
  const missing = new Map<string, Failure>();
  let read = 0;
  await reader.forEach(listed, async (thread) => {
    const result = await toResult(() => readThread(reader, thread), cancelled);
    if ("value" in result) {
      const { hidden, ...waiting } = result.value;
      threads.set(thread.thread_id, waiting);
      if (hidden === undefined) read += 1;
      failure ??= hidden;
    } else if (isNotFound(result.error)) {
      missing.set(thread.thread_id, result.error);
    } else {
      failure ??= result.error;
    }
  });
  const hidden = await stillListed(reader, missing, cancelled);
  read += missing.size - hidden.length;
  failure ??= hidden[0];
  if (read === 0 && failure !== undefined) throw failure;
  // In the order of the lists.
  const inOrder = listed.flatMap(({ thread_id: id }) => threads.get(id) ?? []);
  return { threads: inOrder, read, total: further === undefined ? undefined : listed.length + further };
}

/** The threads of both statuses; `error`: why one of them could not be listed. */
async function listWaiting(
  reader: AgentReader,
  cancelled: AbortSignal,
): Promise<ListedThreads & { readonly error: Failure | undefined }> {
  const byId = new Map<string, ListedThread>();
  let further: number | undefined = 0;
  let error: Failure | undefined;
  for (const status of statuses) {
    const result = await toResult(() => listThreads(reader, status, cancelled), cancelled);
    const list = "value" in result ? result.value : { listed: [], further: undefined };
    if ("error" in result) error ??= result.error;
    for (const thread of list.listed) byId.set(thread.thread_id, thread);
    further = further === undefined || list.further === undefined ? undefined : further + list.further;
  }
  return { listed: [...byId.values()], further, error };
}

async function listThreads(
  reader: AgentReader,
  status: ThreadStatus,
  cancelled: AbortSignal,
): Promise<ListedThreads> {
  const listed = new Map<string, ListedThread>();
  const seen = new Set<string>();
  let offset = 0;
  while (listed.size < maxThreads) {
    const before = seen.size;
    const page = await reader.read("/threads/search", ThreadListSchema, {
      status,
      limit: pageSize,
      offset,
      sort_by: "updated_at",
      sort_order: "desc",
      // Their values may be large.
      select: ["thread_id", "status", "metadata"],
    });
    offset += page.length;
    for (const thread of page) {
      seen.add(thread.thread_id);
      // An agent that ignores the filter lists threads of every status. One of an unknown status may wait.
      const isOther = thread.status !== status && knownStatuses.includes(thread.status);
      if (!isOther) listed.set(thread.thread_id, thread);
    }
    // Only an empty page shows that the list has ended.
    if (seen.size === before) {
      return { listed: [...listed.values()], further: page.length === 0 ? 0 : undefined };
    }
  }
  const count = await toResult(() => reader.read("/threads/count", CountSchema, { status }), cancelled);
  return {
    listed: [...listed.values()].slice(0, maxThreads),
    further: "value" in count ? Math.max(count.value - maxThreads, 0) : undefined,
  };
}

/** The errors of threads that are listed although their state is not found: those are not gone, but hidden. */
async function stillListed(
  reader: AgentReader,
  missing: ReadonlyMap<string, Failure>,
  cancelled: AbortSignal,
): Promise<Failure[]> {
  if (missing.size === 0) return [];
  const { listed, error } = await listWaiting(reader, cancelled);
  // Without the list, none is known to be gone.
  return error === undefined
    ? listed.flatMap(({ thread_id: id }) => missing.get(id) ?? [])
    : [...missing.values()];
}

interface ThreadState {
  readonly next: readonly string[];
  readonly tasks?: readonly TaskOfState[] | null | undefined;
}

interface TaskOfState {
  readonly name: string;
  /** Of a task that is done. */
  readonly result?: unknown;
  /** Of a subgraph whose state is not shown. */
  readonly checkpoint?: unknown;
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
        checkpoint: v.optional(v.unknown()),
        state: v.nullish(v.lazy(() => StateSchema)),
      }),
    ),
  ),
});

const ThreadStateSchema = v.intersect([StateSchema, v.looseObject({ metadata: MetadataSchema })]);

/** `hidden`: why not all of the thread's nodes are known. */
async function readThread(
  reader: AgentReader,
  { thread_id: id, metadata }: ListedThread,
): Promise<WaitingThread & { readonly hidden: Failure | undefined }> {
  const state = await reader.read(`/threads/${id}/state?subgraphs=true`, ThreadStateSchema);
  const hint = text`Look at the thread on the platform.`;
  const graph = metadata?.graph_id ?? state.metadata?.graph_id;
  if (typeof graph !== "string") {
    throw new Failure(text`The agent does not report the graph of thread ${code(id)}.`, {
      hint,
    });
  }
  const hidden = hidesSubgraph(state)
    ? new Failure(text`The agent does not report where thread ${code(id)} is waiting in a subgraph.`, {
        hint,
      })
    : undefined;
  return { id, graph, nodes: [...new Set(nodesOf(state))], hidden };
}

function hidesSubgraph({ tasks }: ThreadState): boolean {
  return (tasks ?? []).some(({ checkpoint, state }) => (state ? hidesSubgraph(state) : Boolean(checkpoint)));
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
