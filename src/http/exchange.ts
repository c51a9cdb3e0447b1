import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HttpClient, type HttpClientResponse } from "@actions/http-client";
import { type ConnectionSubject, withConnectionErrors } from "./connection-error.ts";
import { OversizedAnswerError, type RequestName } from "./errors.ts";

export interface HttpRequest extends ConnectionSubject {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
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
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const time = { signal, tooLate: `no whole answer within ${limits.timeoutMs / 1000} s` };
  const answered = work(AbortSignal.any([limits.signal, signal]));
  return await withConnectionErrors(request, answered, time, limits.signal);
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
