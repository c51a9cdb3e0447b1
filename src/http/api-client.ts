import * as v from "valibot";
import { parseJson } from "../text/json.ts";
import { code, type Message, text } from "../text/message.ts";
import { type HttpMethod, type HttpRequest, sendRequest } from "./request.ts";
import { type HintFor, RequestError } from "./request-error.ts";
import {
  failedResponse,
  type HttpResponse,
  isSuccessful,
  serverTime,
  unexpectedResponse,
} from "./response.ts";
import {
  type RequestContext,
  type RetryPolicy,
  retryIdempotent,
  retryIfNotSent,
  type ShouldRetry,
  withRetry,
} from "./retry.ts";

interface ApiSettings {
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Of a response; by default 10 MB. */
  readonly maxBytes?: number;
  readonly hintFor: HintFor;
}

/**
 * Sends requests to one API of the platform, each within its time, and retries them as the caller says. Every method
 * throws RequestError, or the reason of a cancellation.
 */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #context: RequestContext;
  readonly #policy: RetryPolicy;
  #respondedAt = Number.NaN;

  constructor(settings: ApiSettings, context: RequestContext, policy: RetryPolicy) {
    this.#settings = settings;
    this.#context = context;
    this.#policy = policy;
  }

  /** When the API sent its last response, by its own clock, in milliseconds since the epoch; NaN if that is not known. */
  get respondedAt(): number {
    return this.#respondedAt;
  }

  /** Reads what the schema describes. A response of another shape is not retried. */
  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return this.parse(await this.send("GET", url), schema);
  }

  /** Sends a request, and again as long as `shouldRetry` allows it. By default a write counts as one that must happen once. */
  async send(
    method: HttpMethod,
    url: URL,
    body?: unknown,
    shouldRetry: ShouldRetry = method === "GET" ? retryIdempotent : retryIfNotSent,
  ): Promise<HttpResponse> {
    const request = this.request(method, url, body);
    const { requestTimeoutMs: timeoutMs, maxBytes = 10_000_000 } = this.#settings;
    const limit = { timeoutMs, maxBytes, signal: this.#context.cancelled };
    const attempt = async () => {
      const response = await sendRequest(request, limit);
      this.#respondedAt = serverTime(response.headers);
      if (!isSuccessful(response.status)) throw failedResponse(response);
      return response;
    };
    return await this.retrying(attempt, shouldRetry);
  }

  request(method: HttpMethod, url: URL, body?: unknown): HttpRequest {
    return { method, url, headers: this.#settings.headers, body };
  }

  /** Makes a call of this API, and again as long as `shouldRetry` allows it. Its errors get this API's hints. */
  retrying<T>(call: () => Promise<T>, shouldRetry: ShouldRetry): Promise<T> {
    const attempt = async () => {
      try {
        return await call();
      } catch (error) {
        throw error instanceof RequestError ? error.withHint(this.#settings.hintFor) : error;
      }
    };
    return withRetry(attempt, shouldRetry, this.#policy, this.#context);
  }

  /** The body as the schema describes it. */
  parse<Schema extends v.GenericSchema>(response: HttpResponse, schema: Schema): v.InferOutput<Schema> {
    const body = parseJson(response.text);
    const parsed = v.safeParse(schema, body, { abortEarly: true });
    if (parsed.success) return parsed.output;
    if (body === undefined) throw this.unexpected(response, text`the body is not JSON`);
    const path = v.getDotPath(parsed.issues[0]);
    const place = path === null ? text`the body` : text`${code(path, 100)}`;
    throw this.unexpected(response, text`${place} is not what the API describes`);
  }

  /** The error for a success that is of no use. `what`: what is wrong with it, as a part of a sentence. */
  unexpected(response: Pick<HttpResponse, "request" | "status">, what: Message): RequestError {
    return unexpectedResponse(response, what).withHint(this.#settings.hintFor);
  }
}
