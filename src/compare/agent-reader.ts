import * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import { Failure, type Result, toResult, undefinedIf } from "../errors.ts";
import { type FailedRequest, hasStatus } from "../http/request-error.ts";
import { isRedirect, isUnauthorized, parseBody, requireSuccess } from "../http/response.ts";
import { type RequestContext, retryIdempotent, withRetry } from "../http/retry.ts";
import { code, duration, inputName, type Message, text } from "../text/message.ts";

const maxInFlight = 8;

interface ReadingLimits {
  /** The total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The time for all requests together, in milliseconds. */
  readonly readingMs: number;
}

/** Reads an agent within a time limit, by requests that change nothing. */
export class AgentReader {
  readonly #agent: AgentClient;
  readonly #context: RequestContext;
  readonly #limits: ReadingLimits;
  readonly #deadline: number;

  constructor(agent: AgentClient, context: RequestContext, limits: ReadingLimits) {
    this.#agent = agent;
    this.#context = context;
    this.#limits = limits;
    this.#deadline = context.clock.now() + limits.readingMs;
  }

  get #leftMs(): number {
    return this.#deadline - this.#context.clock.now();
  }

  /** Reads the JSON of a response. `body`: that of a POST; without it, the request is a GET. */
  async read<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<v.InferOutput<Schema>> {
    const { requestTimeoutMs, readingMs } = this.#limits;
    if (this.#leftMs <= 0) {
      throw new Failure(text`The agent could not be read completely within ${duration(readingMs)}.`, {
        hint: text`Check whether it responds slowly.`,
      });
    }
    const response = await this.#agent.send({
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { accept: "application/json" },
      body,
      timeoutMs: Math.min(requestTimeoutMs, this.#leftMs),
      hintFor: (failure, reach) => hintFor(this.#agent, failure, reach),
    });
    return parseBody(requireSuccess(response), schema);
  }

  /** Makes reads, and returns their failure instead of throwing it. @throws the reason of a cancellation */
  async tryRead<T>(read: () => Promise<T>): Promise<Result<T>> {
    return await toResult(read, this.#context.cancelled);
  }

  /** Retries a read: an agent that sleeps may be starting. */
  async retry<T>(read: () => Promise<T>): Promise<T> {
    return await withRetry(read, retryIdempotent, this.#leftMs, this.#context);
  }

  /** Returns the results of `work` in the order of the items. At most eight items are read at the same time. */
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

/** Reads without a parameter if the agent server refuses it. */
export async function readWithout<T>(parameterized: Promise<T>, readPlain: () => Promise<T>): Promise<T> {
  const isRefused = (error: unknown) => hasStatus(error, 400, 404, 422);
  return (await undefinedIf(isRefused, parameterized)) ?? (await readPlain());
}

function hintFor(agent: AgentClient, { status }: FailedRequest, reach: Message): Message {
  if (status === 0) return agent.reachHint(reach);
  if (isRedirect(status)) return agent.addressHint();
  if (isUnauthorized(status)) return agent.keyHint();
  if (status >= 500) {
    return text`Read the log of the agent server. In JavaScript, it describes only graphs whose state is a Zod schema.`;
  }
  return text`Check ${agent.address}, and that the agent server serves ${code("/assistants")} and ${code("/threads")}. If it requires a key, set ${inputName("agent_headers")} to one that it accepts.`;
}

/** An ID from the agent that becomes a segment of a path. It must not lead elsewhere. */
export const SegmentSchema = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.~:@-]{1,200}$/));
