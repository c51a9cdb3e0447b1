import * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import { Failure } from "../errors.ts";
import { type FailedRequest, RequestError } from "../http/request-error.ts";
import { isRedirect, isRefusal, parseBody, requireSuccess } from "../http/response.ts";
import { type RequestContext, retryIdempotent, withRetry } from "../http/retry.ts";
import { code, duration, inputName, type Message, text } from "../text/message.ts";

/** How long an agent is read, in milliseconds: together at most a minute. */
export const maxReadingMs = { served: 40_000, checked: 20_000 } as const;
const maxInFlight = 8;

interface ReadingLimits {
  /** The total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The time for all requests together, in milliseconds. */
  readonly readingMs: number;
}

interface ReadRequest {
  readonly path: string;
  /** The body of a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Reads an agent, by requests that change nothing, until its time is up. */
export class AgentReader {
  readonly cancelled: AbortSignal;
  readonly #agent: AgentClient;
  readonly #context: RequestContext;
  readonly #limits: ReadingLimits;
  readonly #deadline: number;

  constructor(agent: AgentClient, context: RequestContext, limits: ReadingLimits) {
    this.cancelled = context.cancelled;
    this.#agent = agent;
    this.#context = context;
    this.#limits = limits;
    this.#deadline = context.clock.now() + limits.readingMs;
  }

  /** Reads the JSON of a response. `body`: the body of a POST. */
  async read<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<v.InferOutput<Schema>> {
    const { requestTimeoutMs, readingMs } = this.#limits;
    const leftMs = this.#deadline - this.#context.clock.now();
    if (leftMs <= 0) {
      throw new Failure(text`The agent could not be read completely within ${duration(readingMs)}.`, {
        hint: text`Check whether it responds slowly.`,
      });
    }
    const response = await this.#agent.send({
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { accept: "application/json" },
      body,
      timeoutMs: Math.min(requestTimeoutMs, leftMs),
      hintFor: (failure, reach) => hintFor(this.#agent, failure, reach),
    });
    return parseBody(requireSuccess(response), schema);
  }

  /** `read` of the other request if the preferred one has a parameter that the agent server does not know. */
  async readEither<Schema extends v.GenericSchema>(
    schema: Schema,
    preferred: ReadRequest,
    other: ReadRequest,
  ): Promise<v.InferOutput<Schema>> {
    return await this.read(preferred.path, schema, preferred.body).catch((error) => {
      if (!(error instanceof RequestError) || ![400, 404, 422].includes(error.status)) throw error;
      return this.read(other.path, schema, other.body);
    });
  }

  /** `read` with retries, for the first request: an agent that sleeps may be starting. */
  async readFirst<Schema extends v.GenericSchema>(
    ...request: [path: string, schema: Schema, body: Readonly<Record<string, unknown>>]
  ): Promise<v.InferOutput<Schema>> {
    const retryMs = this.#deadline - this.#context.clock.now();
    return await withRetry(() => this.read(...request), retryIdempotent, retryMs, this.#context);
  }

  /** What `work` returns for each item, in their order. Eight are under way at a time. */
  async each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    const queue = items.entries();
    const workers = Array.from({ length: maxInFlight }, async () => {
      for (const [index, item] of queue) results[index] = await work(item);
    });
    await Promise.all(workers);
    return results;
  }
}

function hintFor(agent: AgentClient, { status, isTimeout }: FailedRequest, reach: Message): Message {
  if (status === 0 && !isTimeout) return agent.reachHint(reach);
  if (isRedirect(status)) return agent.addressHint();
  if (isRefusal(status)) return agent.keyHint();
  const address = agent.address && text` ${agent.address}, and`;
  return text`Check${address} that the agent server serves ${code("/assistants")} and ${code("/threads")}. If it requires a key, set ${inputName("agent_headers")} to one that it accepts.`;
}

/** A part of a path that the agent itself named. It must not lead elsewhere. */
export const SegmentSchema = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.~:@-]{1,200}$/));
