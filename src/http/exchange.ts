import { type IncomingHttpHeaders, type IncomingMessage, request as sendPlain } from "node:http";
import { request as sendEncrypted } from "node:https";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HttpClient } from "@actions/http-client";
import { type ConnectionSubject, withConnectionErrors } from "./connection-error.ts";
import { OversizedAnswerError, type RequestName } from "./errors.ts";
import { Timer } from "./timer.ts";

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

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer that was read to its end. */
export interface ReceivedResponse extends HttpResponse {
  /** What it answers. */
  readonly request: RequestName;
}

const userAgent = "deploy-agent-server";

/**
 * Sends one request, once, and reads its whole answer. Redirects are never followed: the key would go to the other
 * host.
 *
 * @throws ConnectionError where no whole answer came, the signal's reason where it was aborted.
 */
export async function exchange(request: HttpRequest, limits: Limits): Promise<ReceivedResponse> {
  return await withinTime(request, limits, async (signal) =>
    readResponse(request, await open(request, signal), limits.bytes, signal),
  );
}

/** Sends a request and does with its answer what `work` does, all within its time. Throws as `exchange` does. */
export async function withinTime<T>(
  request: HttpRequest,
  limits: Pick<Limits, "timeoutMs" | "signal">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new Timer(limits.timeoutMs);
  const time = { signal: timer.signal, tooLate: `no whole answer within ${limits.timeoutMs / 1000} s` };
  try {
    const answered = work(AbortSignal.any([limits.signal, timer.signal]));
    return await withConnectionErrors(request, answered, time, limits.signal);
  } finally {
    timer.stop();
  }
}

/**
 * Sends one request and resolves with the answer's head; the body is still to be read. The toolkit's client is asked
 * for the way through a proxy alone: it bounds silence by a time of its own, its body reader never settles on a cut
 * body, nor it itself on an answer that changes the protocol (101), which is one like any other here.
 */
export async function open(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url } = request;
  const client = new HttpClient(userAgent);
  const agent = client.getAgent(url.href);
  letTunnelHear(signal, agent);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    "user-agent": client.userAgent,
    accept: "application/json",
    ...request.headers,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? sendEncrypted : sendPlain;
  const sent = send(url, { method, headers, agent, signal });
  sent.on("response", resolve);
  sent.on("upgrade", (message, socket) => {
    socket.destroy();
    resolve(message);
  });
  sent.on("error", reject);
  sent.end(body);
  return await answered;
}

/** The package `tunnel` asks a proxy with these options; without the signal the proxy would be waited for for ever. */
function letTunnelHear(signal: AbortSignal, agent: object): void {
  if (!("proxyOptions" in agent) || typeof agent.proxyOptions !== "object") return;
  Object.assign(agent.proxyOptions ?? {}, { signal });
}

/** Reads an answer to its end. @throws OversizedAnswerError where it holds more bytes than `limit`. */
export async function readResponse(
  request: HttpRequest,
  message: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
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
