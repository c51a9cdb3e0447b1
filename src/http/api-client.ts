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

export interface ApiRequest {
  readonly method: HttpMethod;
  /** Below the API's URL, maybe with a query. */
  readonly path: string;
  readonly body?: unknown;
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
    return parseBody(await this.send({ method: "GET", path }), schema);
  }

  /** Retries a request as `shouldRetry` allows: by default, a write only if it surely had no effect. */
  async send(
    { method, path, body }: ApiRequest,
    shouldRetry: ShouldRetry = method === "GET" ? retryIdempotent : retryIfNoEffect,
  ): Promise<HttpResponse> {
    const { url: base, requestTimeoutMs: timeoutMs, retryMs, ...settings } = this.#settings;
    const request = { ...settings, method, url: urlBelow(base, path), body };
    const attempt = async () => requireSuccess(await sendRequest(request, { ...this.#context, timeoutMs }));
    return await withRetry(attempt, shouldRetry, retryMs, this.#context);
  }
}
