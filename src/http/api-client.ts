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

  async read<Schema extends v.GenericSchema>(path: string, schema: Schema): Promise<v.InferOutput<Schema>> {
    return parseBody(await this.send("GET", path), schema);
  }

  /**
   * Sends a request, and retries it as `shouldRetry` allows: by default, a write only if it surely had no effect. `path`: maybe
   * with a query.
   */
  async send(
    method: HttpMethod,
    path: string,
    body?: unknown,
    shouldRetry: ShouldRetry = method === "GET" ? retryIdempotent : retryIfNoEffect,
  ): Promise<HttpResponse> {
    const { url: base, requestTimeoutMs: timeoutMs, retryMs, ...settings } = this.#settings;
    const request = { ...settings, method, url: urlBelow(base, path), body };
    const attempt = async () => requireSuccess(await sendRequest(request, { ...this.#context, timeoutMs }));
    return await withRetry(attempt, shouldRetry, retryMs, this.#context);
  }
}
