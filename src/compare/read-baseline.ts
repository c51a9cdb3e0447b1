import * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import { Failure, type Result } from "../errors.ts";
import { isNotFound } from "../http/request-error.ts";
import type { RequestContext } from "../http/retry.ts";
import { asObject } from "../text/json.ts";
import { code, joined, type Phrase, phrase, text } from "../text/message.ts";
import { AgentReader, mapInParallel, readOrFallBack, SegmentSchema } from "./agent-reader.ts";
import type { Gap } from "./find-gaps.ts";
import { type Contract, isWorkingNode, nodeSeparator, readGraphs } from "./read-contract.ts";

/** The graphs of the agent to compare with, and the threads that wait there. */
export interface Baseline extends Contract {
  /** The interrupted ones first, the newest of each status first. */
  readonly threads: readonly WaitingThread[];
  /** The threads that could not be read. */
  readonly gaps: readonly Gap[];
}

/** A thread that will continue on the deployed version of its graph. */
export interface WaitingThread {
  readonly id: string;
  readonly graph: string;
  /** The nodes that it continues with, named as in `GraphContract`. */
  readonly nodes: readonly string[];
}

/** For each status. */
const maxThreads = 200;

export async function tryReadBaseline(
  agent: Result<AgentClient>,
  context: RequestContext,
): Promise<Result<Baseline>> {
  if (agent.error !== undefined) return agent;
  await agent.value.wake();
  const reader = new AgentReader(agent.value, context);
  return await reader.tryRead(async () => ({
    ...(await readGraphs(reader)),
    ...(await readThreads(reader)),
  }));
}

const ThreadListSchema = v.array(v.looseObject({ thread_id: SegmentSchema, metadata: v.unknown() }));
type ListedThread = v.InferOutput<typeof ThreadListSchema>[number];

/** Reads the threads that are interrupted or busy, and the nodes that they continue with. */
async function readThreads(reader: AgentReader): Promise<Pick<Baseline, "threads" | "gaps">> {
  const { listed, gaps } = await listWaiting(reader);
  const results = await mapInParallel(listed, async (thread) => ({
    id: thread.thread_id,
    read: await reader.tryRead(() => readThread(reader, thread)),
  }));
  const threads = results.flatMap(({ read }) => (read.error === undefined ? read.value : []));
  const failed = results.flatMap(({ id, read }) =>
    read.error !== undefined ? [{ id, error: read.error }] : [],
  );
  if (!failed.some(({ error }) => isNotFound(error))) {
    return { threads, gaps: [...gaps, ...gapsOfThreads(threads.length, failed)] };
  }
  // The thread of a stateless run is deleted when that ends, so it may be gone by now.
  const again = await listWaiting(reader);
  const waiting = new Set(again.listed.map((thread) => thread.thread_id));
  const stillUnread = failed.filter(({ id, error }) => !isNotFound(error) || waiting.has(id));
  return {
    threads,
    gaps: [...new Set([...gaps, ...again.gaps]), ...gapsOfThreads(threads.length, stillUnread)],
  };
}

async function listWaiting(
  reader: AgentReader,
): Promise<{ readonly listed: readonly ListedThread[]; readonly gaps: readonly Gap[] }> {
  const interrupted = await reader.tryRead(() => listThreads(reader, "interrupted"));
  const busy = await reader.tryRead(() => listThreads(reader, "busy"));
  const lists = [interrupted, busy].flatMap((list) => (list.error === undefined ? [list.value] : []));
  // A thread may change its status between the requests.
  const listed = [...new Map(lists.flat().map((thread) => [thread.thread_id, thread])).values()];
  const hasOlder = lists.some(({ length }) => length === maxThreads);
  return { listed, gaps: [...gapsOfLists(interrupted, busy), ...(hasOlder ? [olderGap] : [])] };
}

const olderGap: Gap = {
  message: text`Read only the newest ${maxThreads} waiting threads of each status. Older ones may be waiting at a node that was removed.`,
  failsGate: false,
};

function gapsOfLists(interrupted: Result<unknown>, busy: Result<unknown>): Gap[] {
  if (interrupted.error === undefined)
    return busy.error === undefined ? [] : [gapOf(phrase`busy`, busy.error)];
  return [gapOf(busy.error === undefined ? phrase`interrupted` : phrase`waiting`, interrupted.error)];
}

function gapsOfThreads(read: number, [first, ...others]: readonly { readonly error: Failure }[]): Gap[] {
  if (first === undefined) return [];
  if (read === 0) return [gapOf(phrase`waiting`, first.error)];
  const { message, hint } = first.error.ending;
  const lead = text`Read ${read} of ${read + 1 + others.length} waiting threads. Others may be waiting at a node that was removed.`;
  return [{ message: joined([lead, message, hint]), failsGate: false }];
}

function gapOf(which: Phrase, { ending: { message, hint } }: Failure): Gap {
  const lead = text`The ${which} threads could not be read.`;
  return { message: joined([lead, message, hint]), failsGate: true };
}

async function listThreads(
  reader: AgentReader,
  status: "interrupted" | "busy",
): Promise<readonly ListedThread[]> {
  const search = { status, sort_by: "updated_at", sort_order: "desc" };
  const list = (body: typeof search & { readonly select?: readonly string[] }) => () =>
    reader.readPages("/threads/search", ThreadListSchema, body, maxThreads);
  // Without `select`, the response also has the values of the threads, which may be large.
  return await readOrFallBack(list({ ...search, select: ["thread_id", "metadata"] }), list(search));
}

async function readThread(
  reader: AgentReader,
  { thread_id: id, metadata }: ListedThread,
): Promise<WaitingThread> {
  const graph = asObject(metadata)?.graph_id;
  if (typeof graph !== "string") {
    throw new Failure(text`Thread ${code(id, 60)} names no graph.`, {
      hint: text`Check that thread by hand.`,
    });
  }
  const state = await reader.read(`/threads/${id}/state?subgraphs=true`, StateSchema);
  return { id, graph, nodes: nodesOf(state) };
}

interface ThreadState {
  readonly next: readonly string[];
  readonly tasks?: readonly TaskOfState[] | null | undefined;
}

interface TaskOfState {
  readonly name: string;
  /** The result of a task that is done. */
  readonly result?: unknown;
  /** The state of a subgraph that waits. */
  readonly state?: ThreadState | null | undefined;
}

/** Strict, because a thread whose nodes are in another form must not count as one without nodes. */
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

/** Returns the nodes of a state and of its subgraphs, with the path of its subgraph before each. */
function nodesOf({ next, tasks }: ThreadState, prefix = ""): string[] {
  const pending = (tasks ?? []).filter(({ result }) => result === undefined || result === null);
  const here = [...next, ...pending.map(({ name }) => name)].map((name) => prefix + name);
  const below = (tasks ?? []).flatMap(({ name, state }) =>
    state ? nodesOf(state, prefix + name + nodeSeparator) : [],
  );
  return [...here, ...below].filter(isWorkingNode);
}
