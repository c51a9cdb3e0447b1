import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isNativeError } from "node:util/types";
import { HttpClient, type HttpClientResponse } from "@actions/http-client";
import { inertExcerpt } from "../text/inert.ts";
import { ConnectionError, OversizedAnswerError, ProxySignInError, type RequestName } from "./errors.ts";
import { isProxied, proxyRefusal, proxyVariable } from "./proxy.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** The input that holds the host, named where a connection fails. */
  readonly urlInput: string;
  /** The input that bounds the request's time, named where it ran out. */
  readonly timeoutInput: string;
}

export interface Limits {
  /** Total for the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Of the body. */
  readonly bytes: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer that was read to its end. */
export interface ReceivedAnswer extends HttpAnswer {
  /** What it answers. */
  readonly request: RequestName;
}

const userAgent = "deploy-agent-server";

/** The longest that a timer can wait, in milliseconds: requests are bounded by their signal, not by the client. */
const noSocketTimeout = 2 ** 31 - 1;

/**
 * Codes of failures that come before the request is written: no address, no connection, no trusted certificate.
 * After these it surely had no effect (contract, 3.1). What else TLS reports (EPROTO, ERR_SSL_…) isn't among them: a
 * connection that breaks after the request looks just like that.
 */
const neverSent =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_CERT_.*)$/;

/**
 * Sends one request, once, and reads its whole answer. Redirects are never followed: the toolkit's client would
 * send the key to the other host. The toolkit's own timeout is of inactivity and its body reader never settles
 * on a cut body, so both are replaced here.
 *
 * @throws ConnectionError where no whole answer came, the signal's reason where it was aborted.
 */
export async function exchange(request: HttpRequest, limits: Limits): Promise<ReceivedAnswer> {
  return await withinTime(request, limits, async (signal) =>
    readAnswer(request, await open(request, signal), limits.bytes, signal),
  );
}

/** Sends a request and does with its answer what `work` does, all within its time. Throws as `exchange` does. */
export async function withinTime<T>(
  request: HttpRequest,
  limits: Pick<Limits, "timeoutMs" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, deadline]);
  try {
    return await work(signal);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof ConnectionError) throw error;
    throw deadline.aborted
      ? timedOut(request, `no whole answer within ${limits.timeoutMs / 1000} s`, error)
      : connectionError(request, error);
  }
}

/** Sends one request and resolves with the answer's head; the body is still to be read. */
export async function open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const client = new HttpClient(userAgent, [abortable(signal)], {
    allowRedirects: false,
    allowRetries: false,
    // Unless told, the client gives up on a server that is silent for three minutes, whatever the user allows.
    socketTimeout: noSocketTimeout,
  });
  const headers: Record<string, string> = { accept: "application/json", ...request.headers };
  const response = await send(client, request, headers);
  return response.message;
}

function send(
  client: HttpClient,
  request: HttpRequest,
  headers: Record<string, string>,
): Promise<HttpClientResponse> {
  if (request.method === "GET") return client.get(request.url.href, headers);
  if (request.method === "DELETE") return client.del(request.url.href, headers);
  if (request.body === undefined) return client.request(request.method, request.url.href, "", headers);
  headers["content-type"] = "application/json";
  return client.request(request.method, request.url.href, JSON.stringify(request.body), headers);
}

type RequestHandler = NonNullable<ConstructorParameters<typeof HttpClient>[1]>[number];

/** Hooks into the toolkit's client where it lets one change a request's options. */
function abortable(signal: AbortSignal): RequestHandler {
  return {
    prepareRequest(options: RequestOptions) {
      options.signal = signal;
      // The client passes an IPv6 literal on with its brackets, which the resolver takes for a name.
      options.host = options.host?.replace(/^\[(.*)\]$/, "$1");
    },
    canHandleAuthentication: () => false,
    handleAuthentication: () => Promise.reject(new Error("Authentication is not handled here.")),
  };
}

/** Reads an answer to its end. @throws OversizedAnswerError where it holds more bytes than `limit`. */
export async function readAnswer(
  request: HttpRequest,
  message: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await receive(message, signal, async (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new OversizedAnswerError(request, limit);
  });
  const { statusCode: status = 0, headers } = message;
  return { request, status, headers, text: Buffer.concat(chunks).toString("utf8") };
}

/** Takes a part of a body; the next one waits until it has. */
export type Take = (chunk: Uint8Array) => Promise<void>;

/**
 * Passes a body on as it arrives, each chunk as it was read: a stream that is iterated over would put them together
 * first, and leave the parts to the collector. @throws whatever cuts it short.
 */
export async function receive(message: IncomingMessage, signal: AbortSignal, take: Take): Promise<void> {
  const taker = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void take(chunk).then(() => done(), done),
  });
  await pipeline(message, taker, { signal });
}

/** What is told of an answer that took too long. `what`: what didn't come, and within which time. */
export function timedOut(request: HttpRequest, what: string, cause: unknown): ConnectionError {
  return new ConnectionError(request, what, {
    sent: true,
    hint: `Check that ${request.urlInput} can be reached from this runner; ${request.timeoutInput} gives one request more time.`,
    cause,
  });
}

/** What is told of a failed connection; its kind decides whether the request can have had an effect. */
export function connectionError(request: HttpRequest, thrown: unknown): ConnectionError {
  const refusal = proxyRefusal(thrown);
  if (refusal !== undefined) return refusedByProxy(request, refusal, thrown);
  const { code, syscall } = factsOf(thrown);
  // A host may become unreachable with the request on its way.
  const wasConnected = syscall === "read" || syscall === "write";
  const variable = proxyVariable(request.url.protocol);
  const proxy = isProxied(request.url)
    ? `through the proxy in ${variable}`
    : `a proxy is taken from ${variable} and NO_PROXY`;
  return new ConnectionError(request, `the connection failed: ${wordsFor(thrown) || code}`, {
    sent: wasConnected || !neverSent.test(code),
    hint: `Check ${request.urlInput}, and that this runner can reach its host (${proxy}).`,
    cause: thrown,
  });
}

/** A tunnel that was refused leads nowhere, so the request surely had no effect. */
function refusedByProxy(request: HttpRequest, status: number, cause: unknown): ConnectionError {
  const variable = proxyVariable(request.url.protocol);
  if (status === 407) return new ProxySignInError(request, variable, cause);
  return new ConnectionError(request, `the proxy refused the connection with ${status}`, {
    sent: false,
    hint: `Check ${request.urlInput}, and that the proxy in ${variable} lets this runner reach its host; NO_PROXY names hosts that are asked directly.`,
    cause,
  });
}

function wordsFor(thrown: unknown): string {
  const words = isNativeError(thrown) ? thrown.message : String(thrown);
  // Node's whole message where a connection closes before the answer is whole.
  return words === "aborted" ? "it was closed before the answer was whole" : inertExcerpt(words, 300);
}

/** What Node tells of an error, empty where it doesn't. */
function factsOf(thrown: unknown): { readonly code: string; readonly syscall: string } {
  if (!isNativeError(thrown)) return { code: "", syscall: "" };
  // Where a host has several addresses, the error holds one of each.
  if ("errors" in thrown && Array.isArray(thrown.errors)) return factsOf(thrown.errors[0]);
  return {
    code: "code" in thrown ? String(thrown.code) : "",
    syscall: "syscall" in thrown ? String(thrown.syscall) : "",
  };
}
