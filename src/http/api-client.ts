import * as v from "valibot";
import type { Context } from "../context.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { RequestInfo } from "./errors.ts";
import { type HttpRequest, type HttpResponse, sendRequest } from "./request.ts";
import { failedResponse, type Hints, type ResponseError, unexpectedResponse } from "./response-error.ts";
import {
  type RetryPolicy,
  retryAfterMs,
  retryIdempotent,
  type ShouldRetry,
  serverTime,
  withRetry,
} from "./retry.ts";

export interface ApiSettings {
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly hints: Hints;
  /** Translates a body before a schema parses it. */
  readonly decode?: (body: unknown) => unknown;
}

/** No response of these APIs is larger; the usage report is read by its own client. */
const maxBytes = 10_000_000;

/**
 * Sends requests to one API of the platform, each within its time, and retries them as the caller says. Every method
 * throws ConnectionError or ResponseError, or the reason of a cancellation.
 */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #context: Context;
  readonly #policy: RetryPolicy;

  constructor(settings: ApiSettings, context: Context, policy: RetryPolicy) {
    this.#settings = settings;
    this.#context = context;
    this.#policy = policy;
  }

  /** Reads what the schema describes. A response of another shape is not retried. */
  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return this.parse(await this.send("GET", url, retryIdempotent), schema);
  }

  /** Sends a request, and again as long as `shouldRetry` allows it. */
  async send(
    method: HttpRequest["method"],
    url: URL,
    shouldRetry: ShouldRetry,
    body?: unknown,
  ): Promise<HttpResponse> {
    const request = this.request(method, url, body);
    return await this.retrying(() => this.#sendOnce(request), shouldRetry);
  }

  request(method: HttpRequest["method"], url: URL, body?: unknown): HttpRequest {
    const { headers, hints } = this.#settings;
    return { method, url, headers, body, urlInput: hints.urlInput, timeoutInput: "request_timeout_seconds" };
  }

  retrying<T>(call: () => Promise<T>, shouldRetry: ShouldRetry): Promise<T> {
    return withRetry(call, shouldRetry, this.#policy, this.#context);
  }

  async #sendOnce(request: HttpRequest): Promise<HttpResponse> {
    const limits = { timeoutMs: this.#settings.requestTimeoutMs, maxBytes, signal: this.#context.cancelled };
    const response = await sendRequest(request, limits);
    this.requireSuccess(response);
    return response;
  }

  /**
   * @throws ResponseError for a response that is no success, and for a part of one (206): no range is ever requested
   * (https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7).
   */
  requireSuccess(response: HttpResponse): void {
    const { status, request } = response;
    if (status < 200 || status >= 300) throw this.#refused(response);
    if (status === 206 && request.method === "GET") {
      throw this.unexpected(response, "only a part of the response came, which was not requested");
    }
  }

  #refused(response: HttpResponse): ResponseError {
    const { clock, redact } = this.#context;
    const { headers } = response;
    const delayMs = retryAfterMs(headers["retry-after"], serverTime(headers, clock.now()));
    return failedResponse(response, delayMs, this.#settings.hints, redact.text);
  }

  /** The body as the schema describes it. @throws ResponseError */
  parse<Schema extends v.GenericSchema>(response: HttpResponse, schema: Schema): v.InferOutput<Schema> {
    const body = parseJson(response.text);
    const parsed = v.safeParse(schema, this.#settings.decode?.(body) ?? body, { abortEarly: true });
    if (parsed.success) return parsed.output;
    if (body === undefined) throw this.unexpected(response, "the body is not JSON");
    const place = sanitizeExcerpt(v.getDotPath(parsed.issues[0]) ?? "the body", 100);
    throw this.unexpected(response, `${place} is not what the API describes`);
  }

  /** The error for a success that is of no use. `what`: what is wrong with it. */
  unexpected(
    response: { readonly request: RequestInfo; readonly status: number },
    what: string,
  ): ResponseError {
    return unexpectedResponse(response, what, this.#settings.hints);
  }
}
