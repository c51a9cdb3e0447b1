import type { Readable } from "node:stream";
import { HttpClient } from "@actions/http-client";
import { Agent, DecoratorHandler, type Dispatcher, request as sendByUndici } from "undici";
import { settleOrAbort } from "../settle-or-abort.ts";
import { code, type Message, phrase, text } from "../text/message.ts";
import {
  connectionFailure,
  type RequestError,
  type RequestInfo,
  requestFailure,
  requestTitle,
} from "./request-error.ts";
import { type HttpResponse, type OpenResponse, readText } from "./response.ts";

export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export interface HttpRequest extends RequestInfo {
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** Sent instead of `body`. Its length and type are in `headers`. */
  readonly stream?: Readable;
}

export interface RequestOptions {
  /** Total time for the request and its response. */
  readonly timeoutMs: number;
  /** With this, the time starts again with each part that was sent or received. */
  readonly isIdleTimeout?: boolean;
  readonly cancelled: AbortSignal;
  /** Gets a line for step debugging. */
  readonly report: { debug(message: Message): void };
}

export const userAgent = "deploy-agent-server";

/** Each request gets its own connection: a write on one that the server is just closing would be unconfirmed. */
const direct = new Agent({ pipelining: 0 });

/**
 * Sends a request once and passes its response to `use`, both within one time limit. Redirects are not followed, because the
 * key would go to the other host.
 *
 * @throws RequestError if no complete response came, an error of `use`, and the reason of `cancelled`
 */
export async function exchange<T>(
  request: HttpRequest,
  options: RequestOptions,
  use: (response: OpenResponse) => Promise<T>,
): Promise<T> {
  const started = new Exchange(request, options);
  try {
    // A request behind a silent proxy does not notice its signal.
    return await settleOrAbort(started.send().then(use), started.signal);
  } finally {
    started.close();
  }
}

export function sendRequest(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
  return exchange(request, options, readText);
}

/** One request on its way, and the time limit of it and its response. */
class Exchange {
  readonly #request: HttpRequest;
  readonly #options: RequestOptions;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #ended = new AbortController();
  /** Aborted when the time is up or the run is cancelled. */
  readonly signal: AbortSignal;
  #proxy: ReturnType<HttpClient["getAgentDispatcher"]>;
  #wasSent = false;
  #status: number | undefined;

  constructor(request: HttpRequest, options: RequestOptions) {
    this.#request = request;
    this.#options = options;
    this.signal = AbortSignal.any([options.cancelled, this.#ended.signal]);
    // `AbortSignal.timeout` could not start again with each part.
    this.#timer = setTimeout(() => this.#ended.abort(this.#timeoutFailure()), options.timeoutMs);
  }

  async send(): Promise<OpenResponse> {
    const request = this.#request;
    const { method, url } = request;
    try {
      this.#proxy = new HttpClient().getAgentDispatcher(url.href);
      const dispatcher = (this.#proxy ?? direct).compose(this.#observe);
      const response = await sendByUndici(url, {
        method,
        ...contentOf(request),
        dispatcher,
        signal: this.signal,
        // The timer limits both.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      this.#status = response.statusCode;
      this.#onPart();
      const headers = Object.entries(response.headers).map(([name, value = ""]) => [name, String(value)]);
      const body = this.#read(response.body);
      return { request, status: response.statusCode, headers: Object.fromEntries(headers), body };
    } catch (thrown) {
      throw this.#connectionFailure(thrown);
    }
  }

  async *#read(body: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of body) {
        this.#onPart();
        yield chunk;
      }
    } catch (thrown) {
      throw this.#connectionFailure(thrown);
    }
  }

  /** Ends a body that was not read completely, and a tunnel that is still being opened. */
  close(): void {
    clearTimeout(this.#timer);
    this.#ended.abort();
    void this.#proxy?.destroy();
    this.#logForDebugging();
  }

  /** Logs a line such as `GET /v2/deployments 200 123 ms`. If the path may be secret, the host is shown in its place. */
  #logForDebugging(): void {
    const { method, url, title } = this.#request;
    const address = title === undefined ? url.pathname : url.host;
    const status = String(this.#status ?? "no response");
    const ms = Math.round(performance.now() - this.#startedAt);
    this.#options.report.debug(text`${code(`${method} ${address}`)} ${code(status)} ${ms} ms`);
  }

  /** Notices when the request is written to its connection, and each part of its body that was sent. */
  readonly #observe: Dispatcher.DispatchInterceptor = (dispatch) => (options, handler) => {
    const onConnect = (abort: (error?: Error) => void) => {
      this.#wasSent = true;
      handler.onConnect?.(abort);
    };
    const onBodySent = () => this.#onPart();
    return dispatch(options, Object.assign(new DecoratorHandler(handler), { onConnect, onBodySent }));
  };

  /** Starts an idle timeout again. */
  #onPart(): void {
    if (this.#options.isIdleTimeout) this.#timer.refresh();
  }

  /** Whatever undici rejects with is an error of the connection, and not a bug of this action. */
  #connectionFailure(thrown: unknown): RequestError {
    this.signal.throwIfAborted();
    return connectionFailure(this.#request, thrown, this.#wasSent);
  }

  #timeoutFailure(): RequestError {
    const { timeoutMs, isIdleTimeout } = this.#options;
    const missing = isIdleTimeout ? phrase`no data for` : phrase`no complete response within`;
    const message = text`${requestTitle(this.#request)}: ${missing} ${timeoutMs / 1000} s.`;
    return requestFailure(this.#request, message, { kind: "timeout", wasSent: this.#wasSent });
  }
}

function contentOf({ headers, body, stream }: HttpRequest) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const type = json !== undefined && { "content-type": "application/json" };
  return {
    headers: { "user-agent": userAgent, accept: "application/json", ...type, ...headers },
    body: stream ?? json ?? null,
  };
}
