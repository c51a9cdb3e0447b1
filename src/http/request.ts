import { Readable } from "node:stream";
import { debug, isDebug } from "@actions/core";
import { HttpClient } from "@actions/http-client";
import { Agent, request as sendByUndici } from "undici";
import { Failure } from "../errors.ts";
import { text } from "../text/message.ts";
import { ConnectionError, connectionError, type RequestInfo } from "./connection-error.ts";
import { settleOrAbort } from "./timeout.ts";

export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export interface HttpRequest extends RequestInfo {
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** Sent instead, with the length and type that `headers` say. */
  readonly stream?: AsyncIterable<Uint8Array>;
}

export interface TimeLimit {
  /** Total time for the request and its response. */
  readonly timeoutMs: number;
  /** Whether the time begins anew with each part that is sent or received. */
  readonly isIdle?: boolean;
  readonly signal: AbortSignal;
}

interface ResponseHead {
  readonly request: RequestInfo;
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A response whose body is still to be read. */
export interface OpenResponse extends ResponseHead {
  /** Whether it began before all parts of the request's stream were sent. */
  readonly isEarly: boolean;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A response that was read completely. */
export interface HttpResponse extends ResponseHead {
  readonly text: string;
}

/** What the action calls itself in every request. */
export const userAgent = "deploy-agent-server";

/** A connection for each request: a write on one that the server is just closing would be unconfirmed. */
const direct = new Agent({ pipelining: 0 });

/**
 * Sends one request, once, and reads its response with `read`, all within a time. Redirects are never followed: the key would
 * go to the other host.
 *
 * @throws ConnectionError if no complete response came, what `read` throws, and the signal's reason if it was aborted
 */
export async function exchange<T>(
  request: HttpRequest,
  limit: TimeLimit,
  read: (response: OpenResponse) => Promise<T>,
): Promise<T> {
  const { timeoutMs, isIdle = false, signal: cancelled } = limit;
  const ended = new AbortController();
  const signal = AbortSignal.any([cancelled, ended.signal]);
  // A virtual clock does not move `AbortSignal.timeout`.
  const timer = setTimeout(() => ended.abort(timeUp(request, limit)), timeoutMs);
  const onData = () => {
    if (isIdle) timer.refresh();
  };
  const startedAt = performance.now();
  let result: number | string = "cancelled";
  let proxy: ReturnType<HttpClient["getAgentDispatcher"]>;
  const work = async () => {
    proxy = new HttpClient().getAgentDispatcher(request.url.href);
    const sent = contentOf(request, onData);
    const limits = { signal, headersTimeout: 0, bodyTimeout: 0 };
    const response = await sendByUndici(request.url, { ...sent, ...limits, dispatcher: proxy ?? direct });
    result = response.statusCode;
    onData();
    return await read({
      request,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, value && String(value)]),
      ),
      isEarly: sent.body instanceof Readable && !sent.body.readableEnded,
      body: eachWith(onData, response.body),
    });
  };
  try {
    // A request behind a silent proxy does not notice its signal.
    return await settleOrAbort(work(), signal);
  } catch (thrown) {
    cancelled.throwIfAborted();
    const error = thrown instanceof Failure ? thrown : connectionError(request, thrown);
    if (error instanceof ConnectionError) result = error.kind;
    throw error;
  } finally {
    clearTimeout(timer);
    // What was left of a body, or of a tunnel, ends here.
    ended.abort();
    void proxy?.destroy();
    logRequest(request, result, performance.now() - startedAt);
  }
}

function timeUp(request: HttpRequest, { timeoutMs, isIdle }: TimeLimit): ConnectionError {
  const seconds = timeoutMs / 1000;
  const what = isIdle ? text`no data for ${seconds} s` : text`no complete response within ${seconds} s`;
  return new ConnectionError(request, what, { kind: "timeout", sent: true });
}

function contentOf({ method, headers, body, stream }: HttpRequest, onData: () => void) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return {
    method,
    headers: {
      "user-agent": userAgent,
      accept: "application/json",
      ...(json !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: stream === undefined ? (json ?? null) : withoutReadingAhead(eachWith(onData, stream)),
  };
}

/** Ends only when the last part was sent, unlike `Readable.from`. */
function withoutReadingAhead(parts: AsyncGenerator<Uint8Array>): Readable {
  return new Readable({
    objectMode: true,
    highWaterMark: 0,
    read() {
      parts.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      parts.return(undefined).then(() => done(error), done);
    },
  });
}

async function* eachWith(onData: () => void, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onData();
    yield chunk;
  }
}

/** For step debugging: `GET /v2/deployments 200 123 ms`, of an address that is a credential the host alone. */
function logRequest({ method, url, title }: HttpRequest, result: number | string, durationMs: number): void {
  const place = title === undefined ? url.pathname : url.host;
  if (isDebug()) debug(`${method} ${place} ${result} ${durationMs.toFixed()} ms`);
}

/** `exchange` with the complete body as text. @throws ConnectionError if it holds more than `maxBytes` */
export function sendRequest(
  request: HttpRequest,
  limit: TimeLimit & { readonly maxBytes: number },
): Promise<HttpResponse> {
  return exchange(request, limit, (response) => readText(response, limit.maxBytes));
}

/** Reads a response completely. @throws ConnectionError if it holds more than `maxBytes` */
export async function readText(response: OpenResponse, maxBytes: number): Promise<HttpResponse> {
  const { request, status, headers, body } = response;
  const tooLarge = () =>
    new ConnectionError(request, text`the response is larger than ${maxBytes / 1_000_000} MB`, {
      kind: "too_large",
      sent: true,
    });
  return { request, status, headers, text: (await readBytes(body, maxBytes, tooLarge)).toString("utf8") };
}

/** Reads a body completely. @throws the error of `tooLarge` if it holds more than `maxBytes` */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
  }
  return Buffer.concat(chunks);
}

export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}
