import * as v from "valibot";
import type { Context } from "../context.ts";
import type { ActionError } from "../errors.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { ConnectionError, OversizedAnswerError, ProxySignInError } from "./errors.ts";
import { exchange, type HttpRequest, type ReceivedResponse } from "./exchange.ts";
import type { Hints } from "./hints.ts";
import { ResponseError, UnexpectedAnswerError } from "./response-error.ts";
import { type Retryable, type RetryPolicy, type ShouldRetry, withRetry } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface TransportSettings {
  /** Headers that authenticate; see platform-api, Authentication. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly hints: Hints;
  /** Translates a body before a schema reads it. */
  readonly decode?: (body: unknown) => unknown;
}

/** The largest body that is read. */
const answerLimitBytes = 10_000_000;

/**
 * Sends requests to one API of the platform: each within its time, and repeated as the caller says.
 * Every method throws ConnectionError, ResponseError or UnexpectedAnswerError, or the cancellation's reason.
 */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #context: Context;
  readonly #patience: RetryPolicy;

  constructor(settings: TransportSettings, context: Context, patience: RetryPolicy) {
    this.#settings = settings;
    this.#context = context;
    this.#patience = patience;
  }

  /** Reads what the schema describes; an answer of another shape is not asked for again. */
  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return this.parse(await this.send("GET", url, retryableRead), schema);
  }

  /** Sends a request, and again where `repeatable` says so of its error. */
  async send(
    method: HttpRequest["method"],
    url: URL,
    repeatable: ShouldRetry,
    body?: unknown,
  ): Promise<ReceivedResponse> {
    const request = this.request(method, url, body);
    return await this.patiently(() => this.#sendOnce(request), repeatable);
  }

  request(method: HttpRequest["method"], url: URL, body?: unknown): HttpRequest {
    const { headers, hints } = this.#settings;
    const names = { urlInput: hints.urlInput, timeoutInput: "request_timeout_seconds" };
    return { method, url, headers, body, ...names };
  }

  patiently<T>(call: () => Promise<T>, repeatable: ShouldRetry): Promise<T> {
    return withRetry(call, repeatable, this.#patience, this.#context);
  }

  async #sendOnce(request: HttpRequest): Promise<ReceivedResponse> {
    const answer = await exchange(request, {
      timeoutMs: this.#settings.requestTimeoutMs,
      bytes: answerLimitBytes,
      signal: this.#context.cancelled,
    });
    if (answer.status < 200 || answer.status >= 300) throw this.refusal(answer);
    this.demandWhole(answer);
    return answer;
  }

  /** @throws UnexpectedAnswerError for a part of what is read (206): no range is ever asked for (RFC 9110, 15.3.7). */
  demandWhole(answer: Pick<ReceivedResponse, "request" | "status">): void {
    if (answer.status !== 206 || answer.request.method !== "GET") return;
    throw this.unexpected(answer, "a part of an answer wasn't asked for");
  }

  /** The error that an answer without success makes. */
  refusal(answer: ReceivedResponse): ResponseError {
    const pauseMs = retryAfterMs(answer.headers["retry-after"], this.#context.clock.now());
    const { hints } = this.#settings;
    return new ResponseError(answer.request, answer, pauseMs, hints, this.#context.redact.words);
  }

  /** The body as the schema describes it. @throws UnexpectedAnswerError */
  parse<Schema extends v.GenericSchema>(answer: ReceivedResponse, schema: Schema): v.InferOutput<Schema> {
    const body = parseJson(answer.text);
    const parsed = v.safeParse(schema, this.#settings.decode?.(body) ?? body);
    if (parsed.success) return parsed.output;
    if (body === undefined) throw this.unexpected(answer, "the body is not JSON");
    const [issue] = parsed.issues;
    const place = sanitizeExcerpt(v.getDotPath(issue) ?? "the body", 100);
    throw this.unexpected(answer, `${place} is not what the API describes`);
  }

  /** The error that a success makes which is none. `what`: what is wrong with it. */
  unexpected(answer: Pick<ReceivedResponse, "request" | "status">, what: string): UnexpectedAnswerError {
    return new UnexpectedAnswerError(answer.request, answer.status, what, this.#settings.hints);
  }
}

/** Connection errors, 408, 429 and 5xx (contract, 3.1), but neither what no repetition changes nor a 501 by which the API says that it can't do this. */
export function retryableRead(error: ActionError): Retryable | undefined {
  if (error instanceof OversizedAnswerError || error instanceof ProxySignInError) return undefined;
  if (error instanceof ConnectionError) return {};
  if (!(error instanceof ResponseError) || (error.status === 501 && error.json)) return undefined;
  const { status } = error;
  return status === 408 || status === 429 || status >= 500 ? { pauseMs: error.pauseMs } : undefined;
}

/** A write is repeated only where it surely did not happen and another attempt may help (contract, 3.1). */
export function retryableWrite(error: ActionError): Retryable | undefined {
  if (error instanceof ProxySignInError) return undefined;
  if (error instanceof ConnectionError) return error.sent ? undefined : {};
  return error instanceof ResponseError && error.status === 429 ? { pauseMs: error.pauseMs } : undefined;
}
