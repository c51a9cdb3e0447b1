import * as v from "valibot";
import type { AgentClient } from "../../agent/agent-client.ts";
import { Failure } from "../../errors.ts";
import { ConnectionError } from "../../http/connection-error.ts";
import { isSuccessful } from "../../http/request.ts";
import {
  failedResponse,
  type HintFor,
  type ResponseError,
  unexpectedResponse,
} from "../../http/response-error.ts";
import { type RequestContext, retryIdempotent, type ShouldRetry, withRetry } from "../../http/retry.ts";
import { parseJson } from "../../text/json.ts";
import { code, input, type Message, text } from "../../text/message.ts";

/** For how long the agents of a comparison are read, in milliseconds. */
export const maxReadingMs = 60_000;
/** All responses of one agent together. */
const maxTotalBytes = 50_000_000;
/** The most requests at a time. */
const maxInFlight = 8;

interface Limits {
  /** No request is sent or waited for after this; milliseconds since the epoch. */
  readonly deadline: number;
  /** Of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

function timeUp(): Failure {
  return new Failure(text`The agents could not be compared completely within ${maxReadingMs / 1000} s.`, {
    hint: text`Check whether the agents respond slowly.`,
  });
}

/** Reads an agent: requests that change nothing, all within a time and a size. */
export class AgentReader {
  readonly #agent: AgentClient;
  readonly #limits: Limits;
  readonly #context: RequestContext;
  #bytesLeft = maxTotalBytes;

  constructor(agent: AgentClient, limits: Limits, context: RequestContext) {
    this.#agent = agent;
    this.#limits = limits;
    this.#context = context;
  }

  /**
   * The JSON of a response. `body`: of a POST.
   *
   * @throws ConnectionError, ResponseError, Failure if the time is up or the agent sends too much, and the reason of a
   *   cancellation.
   */
  async read<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<v.InferOutput<Schema>> {
    const { deadline, requestTimeoutMs } = this.#limits;
    const leftMs = deadline - this.#context.clock.now();
    if (leftMs <= 0) throw timeUp();
    const response = await this.#agent
      .send({
        method: body === undefined ? "GET" : "POST",
        path,
        headers: { accept: "application/json" },
        body,
        timeoutMs: Math.min(requestTimeoutMs, leftMs),
      })
      .catch((error) => {
        throw error instanceof ConnectionError && leftMs < requestTimeoutMs && error.kind === "timeout"
          ? timeUp()
          : error;
      });
    if (!isSuccessful(response.status)) throw failedResponse(response, undefined, hintFor);
    this.#bytesLeft -= Buffer.byteLength(response.text);
    if (this.#bytesLeft < 0) throw tooMuch();
    const parsed = v.safeParse(schema, parseJson(response.text), { abortEarly: true });
    if (!parsed.success) throw unexpectedResponse(response, text`not what an agent server returns`, hintFor);
    return parsed.output;
  }

  /** The first response of an agent that may sleep or be starting. @throws what `read` throws at its last attempt */
  async wake<T>(read: () => Promise<T>): Promise<T> {
    const policy = { maxAttempts: 3, firstDelayMs: 2000, deadline: this.#limits.deadline };
    const shouldRetry: ShouldRetry = (error) =>
      error instanceof ConnectionError && error.kind === "timeout" ? undefined : retryIdempotent(error);
    return await withRetry(read, shouldRetry, policy, this.#context);
  }

  /** Calls `work` for each item, for eight at a time. @throws the first error of `work` */
  async forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
    const queue = items[Symbol.iterator]();
    const workers = Array.from({ length: maxInFlight }, async () => {
      for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
    });
    await Promise.all(workers);
  }
}

function tooMuch(): Failure {
  return new Failure(text`The agent's responses are larger than ${maxTotalBytes / 1_000_000} MB together.`, {
    hint: text`Check that the deployment's URL is that of an agent server.`,
  });
}

const hintFor: HintFor = (failure): Message => {
  if (failure instanceof ConnectionError) return failure.ending.hint;
  const { kind, status } = failure satisfies Partial<ResponseError>;
  if (kind === "redirect") {
    return text`Redirects are not followed. If the agent requires a login, set ${input("agent_headers")} to a key that it accepts.`;
  }
  if (status === 401 || status === 403) {
    return text`Set ${input("agent_headers")} to a key that the agent accepts.`;
  }
  return text`Check that the agent server serves ${code("/assistants")} and ${code("/threads")}. If it requires a key, check ${input("agent_headers")}.`;
};

/** A part of a path that the agent itself named. It must not lead elsewhere. */
export const SegmentSchema = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.~:@-]{1,200}$/));
