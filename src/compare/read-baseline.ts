import * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import { Failure, toResult, undefinedIf } from "../errors.ts";
import { isNotFound } from "../http/request-error.ts";
import type { RequestContext } from "../http/retry.ts";
import { apiPath } from "../http/url.ts";
import { asObject } from "../text/json.ts";
import { code, text } from "../text/message.ts";
import { IdSchema } from "../text/schemas.ts";
import { AgentReader, mapInParallel } from "./agent-reader.ts";
import { type Gap, gapOf } from "./contract-change.ts";
import { type Contract, isWorkingNode, nodeSeparator, readContract } from "./read-contract.ts";

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

/** Wakes the agent to compare with, and reads it. @throws Failure if its graphs can't be read */
export async function readBaseline(agent: AgentClient, context: RequestContext): Promise<Baseline> {
  await agent.wake();
  const reader = new AgentReader(agent, context);
  return { ...(await readContract(reader)), ...(await readThreads(reader)) };
}

/** Reads the threads that are interrupted or busy, and the nodes that they continue with. */
async function readThreads(reader: AgentReader): Promise<Pick<Baseline, "threads" | "gaps">> {
  const lists = await toResult(async () => [
    await listThreads(reader, "interrupted"),
    await listThreads(reader, "busy"),
  ]);
  if (lists.error !== undefined) {
    return { threads: [], gaps: [gapOf(unreadSentence, lists.error, true)] };
  }
  // A thread may change its status between the requests.
  const listed = new Map(lists.value.flat().map((thread) => [thread.thread_id, thread]));
  const read = await mapInParallel([...listed.values()], (thread) =>
    toResult(() => readThread(reader, thread)),
  );
  const threads = read.flatMap(({ value }) => value ?? []);
  const failures = read.flatMap(({ error }) => error ?? []);
  const gaps = lists.value.some(({ length }) => length === maxThreads) ? [olderGap] : [];
  const [failure] = failures;
  if (failure !== undefined) {
    const part = text`Read ${threads.length} of ${threads.length + failures.length} waiting threads. Others may be waiting at a node that was removed.`;
    const isNone = threads.length === 0;
    gaps.push(gapOf(isNone ? unreadSentence : part, failure, isNone));
  }
  return { threads, gaps };
}

const olderGap: Gap = {
  message: text`Read only the newest ${maxThreads} waiting threads of each status. Older ones may be waiting at a node that was removed.`,
  failsGate: false,
};

const unreadSentence = text`The waiting threads could not be read.`;

const ThreadListSchema = v.array(v.looseObject({ thread_id: IdSchema, metadata: v.unknown() }));

type ListedThread = v.InferOutput<typeof ThreadListSchema>[number] & {
  readonly status: "interrupted" | "busy";
};

async function listThreads(
  reader: AgentReader,
  status: ListedThread["status"],
): Promise<readonly ListedThread[]> {
  // The values of threads may be large, so they are not selected.
  const select = ["thread_id", "metadata"];
  const search = { status, sort_by: "updated_at", sort_order: "desc", select };
  const listed = await reader.readPages("/threads/search", ThreadListSchema, search, maxThreads);
  return listed.map((thread) => ({ ...thread, status }));
}

/** Returns undefined for a thread that has ended meanwhile: that of a stateless run is then deleted. */
async function readThread(
  reader: AgentReader,
  { thread_id: id, metadata, status }: ListedThread,
): Promise<WaitingThread | undefined> {
  const graph = asObject(metadata)?.graph_id;
  if (typeof graph !== "string") {
    throw new Failure(text`Thread ${code(id, 60)} names no graph.`, {
      hint: text`Check ${code("metadata.graph_id")} of that thread by hand.`,
    });
  }
  const state = await undefinedIf(
    () => reader.read(apiPath`/threads/${id}/state?subgraphs=true`, StateSchema),
    (error) => status === "busy" && isNotFound(error),
  );
  return state && { id, graph, nodes: nodesOf(state) };
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
