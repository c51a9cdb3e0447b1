import type * as v from "valibot";
import { type HttpMethod, sendRequest } from "./request.ts";
import type { RequestInfo } from "./request-error.ts";
import { type HttpResponse, parseBody, requireSuccess } from "./response.ts";
import {
  type RequestContext,
  retryIdempotent,
  retryIfNotSent,
  type ShouldRetry,
  withRetry,
} from "./retry.ts";

interface ApiSettings extends Pick<RequestInfo, "hintFor" | "plainValues"> {
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How long a request is retried, in milliseconds. */
  readonly retryMs: number;
}

/**
 * Sends requests to one API of the platform, each within its time, and retries them as the caller says. Every method
 * throws RequestError, or the reason of a cancellation.
 */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #context: RequestContext;
  #respondedAt = Number.NaN;

  constructor(settings: ApiSettings, context: RequestContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /** When the API sent its last response, by its own clock, in milliseconds since the epoch; NaN if that is not known. */
  get respondedAt(): number {
    return this.#respondedAt;
  }

  /** Reads what the schema describes. A response of another shape is not retried. */
  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return parseBody(await this.send("GET", url), schema);
  }

  /** Sends a request, and again as long as `shouldRetry` allows it. By default a write counts as one that must happen once. */
  async send(
    method: HttpMethod,
    url: URL,
    body?: unknown,
    shouldRetry: ShouldRetry = method === "GET" ? retryIdempotent : retryIfNotSent,
  ): Promise<HttpResponse> {
    const { requestTimeoutMs: timeoutMs, retryMs, ...settings } = this.#settings;
    const { cancelled: signal, report } = this.#context;
    const request = { method, url, body, ...settings };
    const attempt = async () => {
      const response = await sendRequest(request, { timeoutMs, signal, report });
      this.#respondedAt = Date.parse(response.headers.date ?? "");
      return requireSuccess(response);
    };
    return await withRetry(attempt, shouldRetry, retryMs, this.#context);
  }
}
