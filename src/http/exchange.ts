import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { HttpClient, type HttpClientResponse } from "@actions/http-client";
import { inertExcerpt } from "../text/inert.ts";
import { ConnectionError } from "./errors.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
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

const userAgent = "deploy-agent-server";

/**
 * Codes of failures that come before the request is written: no address, no connection, no trusted certificate.
 * After these it surely had no effect (contract, 3.1).
 */
const neverSent =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_.*|ERR_SSL_.*)$/;

/**
 * Sends one request, once, and reads its whole answer. Redirects are never followed: the toolkit's client would
 * send the key to the other host. The toolkit's own timeout is of inactivity and its body reader never settles
 * on a cut body, so both are replaced here.
 *
 * @throws ConnectionError where no whole answer came, the signal's reason where it was aborted.
 */
export async function exchange(request: HttpRequest, limits: Limits): Promise<HttpAnswer> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, deadline]);
  try {
    const message = await open(request, signal);
    const text = await readBody(request, message, limits.bytes, signal);
    return { status: message.statusCode ?? 0, headers: message.headers, text };
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof ConnectionError) throw error;
    throw deadline.aborted ? timedOut(request, limits.timeoutMs, error) : connectionError(request, error);
  }
}

/** Sends one request and resolves with the answer's head; the body is still to be read. */
export async function open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const client = new HttpClient(userAgent, [abortable(signal)], {
    allowRedirects: false,
    allowRetries: false,
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

async function readBody(
  request: HttpRequest,
  message: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stop = () => message.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of message) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) {
        throw new ConnectionError(request, `the answer is larger than ${limit} bytes`, {
          sent: true,
          hint: `Check that ${request.urlInput} is the address of the API.`,
        });
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    message.destroy();
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString("utf8");
}

function timedOut(request: HttpRequest, timeoutMs: number, cause: unknown): ConnectionError {
  return new ConnectionError(request, `no whole answer within ${timeoutMs / 1000} s`, {
    sent: true,
    hint: `Check that ${request.urlInput} can be reached from this runner; ${request.timeoutInput} gives one request more time.`,
    cause,
  });
}

/** What is told of a failed connection; its kind decides whether the request can have had an effect. */
export function connectionError(request: HttpRequest, thrown: unknown): ConnectionError {
  const code = codeOf(thrown);
  const words = inertExcerpt(thrown instanceof Error ? thrown.message : String(thrown), 300);
  return new ConnectionError(request, `the connection failed: ${words || code}`, {
    sent: !neverSent.test(code),
    hint: `Check ${request.urlInput}, and that this runner can reach its host (a proxy is taken from HTTPS_PROXY and NO_PROXY).`,
    cause: thrown,
  });
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}
