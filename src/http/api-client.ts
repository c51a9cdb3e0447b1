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

interface ApiSettings extends Pick<RequestInfo, "hintFor" | "publicValues"> {
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How long a request is retried, in milliseconds. */
  readonly retryMs: number;
}

/**
 * Sends requests to one API of the platform, each within its time limit, and retries them. Every method throws RequestError, or
 * the reason of a cancellation.
 */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #context: RequestContext;
  #respondedAt: number | undefined;

  constructor(settings: ApiSettings, context: RequestContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /** The time of the last response by the API's own clock, in milliseconds since the epoch; undefined if it is not known. */
  get respondedAt(): number | undefined {
    return this.#respondedAt;
  }

  /** Sends a GET and parses its response. One that the schema does not accept is not retried. */
  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return parseBody(await this.send("GET", url), schema);
  }

  /** Sends a request, and retries it as `shouldRetry` allows: by default, a write only if it surely had no effect. */
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
      const respondedAt = Date.parse(response.headers.date ?? "");
      this.#respondedAt = Number.isNaN(respondedAt) ? undefined : respondedAt;
      return requireSuccess(response);
    };
    return await withRetry(attempt, shouldRetry, retryMs, this.#context);
  }
}
