import type * as v from "valibot";
import { type HttpMethod, sendRequest } from "./request.ts";
import type { RequestInfo } from "./request-error.ts";
import { type HttpResponse, parseBody, requireSuccess } from "./response.ts";
import {
  type RequestContext,
  retryIdempotent,
  retryIfNoEffect,
  type ShouldRetry,
  withRetry,
} from "./retry.ts";
import { urlBelow } from "./url.ts";

interface ApiSettings extends Pick<RequestInfo, "hintFor" | "publicValues"> {
  readonly url: URL;
  /** Headers that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestTimeoutMs: number;
  readonly retryMs: number;
}

/** Sends requests to one API of the platform, and retries them. Methods that send one throw RequestError. */
export class ApiClient {
  readonly #settings: ApiSettings;
  readonly #context: RequestContext;

  constructor(settings: ApiSettings, context: RequestContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /**
   * The template tag for addresses of this API. Each value is encoded as one segment of the path or one value of the query.
   * Encoding does not change `.` and `..`, so callers must not pass them.
   */
  endpoint({ raw }: TemplateStringsArray, ...values: readonly (string | number)[]): URL {
    const encoded = values.map((value) => encodeURIComponent(String(value).toWellFormed()));
    return urlBelow(this.#settings.url, String.raw({ raw }, ...encoded));
  }

  async read<Schema extends v.GenericSchema>(url: URL, schema: Schema): Promise<v.InferOutput<Schema>> {
    return parseBody(await this.send("GET", url), schema);
  }

  /** Sends a request, and retries it as `shouldRetry` allows: by default, a write only if it surely had no effect. */
  async send(
    method: HttpMethod,
    url: URL,
    body?: unknown,
    shouldRetry: ShouldRetry = method === "GET" ? retryIdempotent : retryIfNoEffect,
  ): Promise<HttpResponse> {
    const { requestTimeoutMs: timeoutMs, retryMs, ...settings } = this.#settings;
    const { cancelled: signal, report } = this.#context;
    const request = { ...settings, method, url, body };
    const attempt = async () => requireSuccess(await sendRequest(request, { timeoutMs, signal, report }));
    return await withRetry(attempt, shouldRetry, retryMs, this.#context);
  }
}
