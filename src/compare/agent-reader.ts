import { isDeepStrictEqual } from "node:util";
import type * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import type { EpochMs } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type FailureReason, hasStatus } from "../http/request-error.ts";
import { type HttpResponse, isSuccessful, parseBody, requireSuccess } from "../http/response.ts";
import { type RequestContext, retryIdempotent, type ShouldRetry, withRetry } from "../http/retry.ts";
import { code, inputName, type Message, text } from "../text/message.ts";

const maxInFlight = 8;
/** The largest page that all known agent servers return. */
const pageSize = 100;
/** The time for all requests to an agent together. */
const readingMs = 30_000;

/** Reads an agent within a time limit, by requests that change nothing. */
export class AgentReader {
  readonly #agent: AgentClient;
  readonly #context: RequestContext;
  readonly #deadline: EpochMs;

  constructor(agent: AgentClient, context: RequestContext) {
    this.#agent = agent;
    this.#context = context;
    this.#deadline = context.clock.now() + readingMs;
  }

  get #leftMs(): number {
    return this.#deadline - this.#context.clock.now();
  }

  /** Reads the JSON of a response to a POST or, without a body, a GET. It is retried: an agent that sleeps may be starting. */
  async read<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<v.InferOutput<Schema>> {
    const response = await withRetry(() => this.#send(path, body), shouldRetry, this.#leftMs, this.#context);
    return parseBody(response, schema);
  }

  /** Reads a list of at most `maxItems` by its pages. Each request has the body `search` and the place of its page. */
  async readPages<Item>(
    path: string,
    schema: v.GenericSchema<unknown, Item[]>,
    search: Readonly<Record<string, unknown>>,
    maxItems = Number.POSITIVE_INFINITY,
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (;;) {
      const limit = Math.min(pageSize, maxItems - items.length);
      const page = await this.read(path, schema, { ...search, limit, offset: items.length });
      // A server may send smaller pages than it was asked for, or ignore the offset.
      const added = page.filter((item) => !items.some((one) => isDeepStrictEqual(one, item)));
      items.push(...added);
      if (added.length === 0 || items.length >= maxItems) return items;
    }
  }

  async #send(path: string, body: unknown): Promise<HttpResponse> {
    const leftMs = this.#leftMs;
    if (leftMs <= 0)
      throw new Failure(text`There was not enough time for ${code(path)}.`, { hint: slowHint });
    const response = await this.#agent.send({
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { accept: "application/json" },
      body,
      timeoutMs: Math.min(this.#agent.requestTimeoutMs, leftMs),
      hintFor: (reason, connectionHint) => readHint(this.#agent, reason, connectionHint),
    });
    return requireSuccess(response);
  }
}

/** Returns the results of `work` in the order of the items. At most eight items are worked on at the same time. */
export async function mapInParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const workers = Array.from({ length: maxInFlight }, async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  });
  await Promise.all(workers);
  return results;
}

/** A 500 is final: the vendor's server for JavaScript sends it for a graph that it can't describe. */
const shouldRetry: ShouldRetry = (error) => retryIdempotent(error) && !hasStatus(error, 500);

const slowHint = text`Check whether the agent server responds slowly: it is read for at most ${readingMs / 1000} s in all, and each request may take ${inputName("request_timeout_seconds")}. Some servers need long to describe a graph for the first time: then run this again.`;

function readHint(agent: AgentClient, reason: FailureReason, connectionHint: Message): Message {
  if (reason.kind === "timeout") return slowHint;
  if (reason.kind !== "response") return agent.reachHint(connectionHint);
  const { status } = reason;
  if (isSuccessful(status)) return agent.urlHint;
  const otherHint = text`Check ${agent.urlName}, and that the agent server serves ${code("/assistants")} and ${code("/threads")}. If it requires a key, set ${inputName("agent_headers")} to one that it accepts.`;
  return agent.statusHint(status) ?? otherHint;
}
