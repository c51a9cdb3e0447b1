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
import { type HttpResponse, type OpenResponse, unexpectedResponseFailure } from "./response.ts";

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
  const ended = new AbortController();
  const signal = AbortSignal.any([options.cancelled, ended.signal]);
  let wasSent = false;
  // `AbortSignal.timeout` could not start again with each part.
  const timer = setTimeout(() => ended.abort(timeoutFailure(request, options, wasSent)), options.timeoutMs);
  const onData = () => {
    if (options.isIdleTimeout) timer.refresh();
  };
  const onSend = () => {
    wasSent = true;
  };
  const startedAt = performance.now();
  let status: number | undefined;
  let proxy: ReturnType<HttpClient["getAgentDispatcher"]>;
  // Whatever undici rejects with is an error of the connection, and not a bug of this action.
  const failConnection = (thrown: unknown): never => {
    signal.throwIfAborted();
    throw connectionFailure(request, thrown, wasSent);
  };
  const send = async () => {
    proxy = new HttpClient().getAgentDispatcher(request.url.href);
    const dispatcher = (proxy ?? direct).compose(observeSending(onSend, onData));
    const { method } = request;
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    return await sendByUndici(request.url, {
      method,
      ...contentOf(request),
      ...timeouts,
      signal,
      dispatcher,
    });
  };
  const read = async function* (body: AsyncIterable<Uint8Array>) {
    try {
      for await (const chunk of body) {
        onData();
        yield chunk;
      }
    } catch (thrown) {
      failConnection(thrown);
    }
  };
  const work = async () => {
    const response = await send().catch(failConnection);
    status = response.statusCode;
    onData();
    const headers = Object.entries(response.headers).map(([name, value = ""]) => [name, String(value)]);
    return await use({ request, status, headers: Object.fromEntries(headers), body: read(response.body) });
  };
  try {
    // A request behind a silent proxy does not notice its signal.
    return await settleOrAbort(work(), signal);
  } finally {
    clearTimeout(timer);
    // Ends a body that was not read completely, and a tunnel that is still being opened.
    ended.abort();
    void proxy?.destroy();
    options.report.debug(debugLine(request, status, performance.now() - startedAt));
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

function timeoutFailure(
  request: HttpRequest,
  { timeoutMs, isIdleTimeout }: RequestOptions,
  wasSent: boolean,
): RequestError {
  const missing = isIdleTimeout ? phrase`no data for` : phrase`no complete response within`;
  const message = text`${requestTitle(request)}: ${missing} ${timeoutMs / 1000} s.`;
  return requestFailure(request, message, { kind: "timeout", wasSent });
}

/** Calls `onSend` right before a request is written to its connection, and `onPart` after each part of its body. */
function observeSending(onSend: () => void, onPart: () => void): Dispatcher.DispatchInterceptor {
  return (dispatch) => (options, handler) => {
    const onConnect = (abort: (error?: Error) => void) => {
      onSend();
      handler.onConnect?.(abort);
    };
    return dispatch(options, Object.assign(new DecoratorHandler(handler), { onConnect, onBodySent: onPart }));
  };
}

/** Returns a line such as `GET /v2/deployments 200 123 ms`. If the path may be secret, the host is shown in its place. */
function debugLine({ method, url, title }: HttpRequest, status: number | undefined, ms: number): Message {
  const address = title === undefined ? url.pathname : url.host;
  return text`${code(`${method} ${address}`)} ${code(String(status ?? "no response"))} ${Math.round(ms)} ms`;
}

/** The largest response that is read. Expected ones are far smaller. */
const maxBytes = 64_000_000;

export function sendRequest(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
  return exchange(request, options, readText);
}

/** Reads a response completely. @throws RequestError if it is larger than 64 MB */
export async function readText(response: OpenResponse): Promise<HttpResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) {
      throw unexpectedResponseFailure(response, phrase`the body is larger than ${maxBytes / 1_000_000} MB`);
    }
  }
  const bytes = Buffer.concat(chunks);
  return { ...response, body: bytes.toString("utf8"), bytes };
}
