import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HttpClient } from "@actions/http-client";
import { text } from "../text/message.ts";
import { ConnectionError, type RequestInfo } from "./connection-error.ts";
import { isProxied } from "./proxy.ts";
import { type TimeLimit, withTimeout } from "./timeout.ts";

export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export interface HttpRequest extends RequestInfo {
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** Sent instead, with the length and type that `headers` say. */
  readonly stream?: StreamedBody;
}

interface StreamedBody {
  /** The body from its start. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Called with the number of bytes of each part that was handed on. */
  readonly onSent: (bytes: number) => void;
}

/** `timeoutMs`: total time for the request and its response. */
export interface RequestLimits extends TimeLimit {
  /** Of the response's body. */
  readonly maxBytes: number;
}

interface ResponseHead {
  readonly request: RequestInfo;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A response whose body is still to be read. */
export interface OpenResponse extends ResponseHead {
  readonly message: IncomingMessage;
}

/** A response that was read completely. */
export interface HttpResponse extends ResponseHead {
  readonly text: string;
}

/** In bytes. Node's default of 16 KiB breaks the connection for long policies and cookies of gateways. */
const maxHeaderSize = 65_536;

/** What the action calls itself in every request. */
export const userAgent = "deploy-agent-server";

/**
 * Sends one request, once, and reads the complete response. Redirects are never followed: the key would go to the other
 * host.
 *
 * @throws ConnectionError if no complete response came, and the signal's reason if it was aborted.
 */
export function sendRequest(request: HttpRequest, limits: RequestLimits): Promise<HttpResponse> {
  return withTimeout(request, limits, async (signal) =>
    readBody(await openResponse(request, signal), limits.maxBytes, signal),
  );
}

/** Sends one request, once, until its response begins. */
export async function openResponse(request: HttpRequest, signal: AbortSignal): Promise<OpenResponse> {
  const { method, url } = request;
  const agent = isProxied(url) ? proxyAgent(url, signal) : false;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const headers = {
    "user-agent": userAgent,
    accept: "application/json",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...request.headers,
    // Node sends neither a length nor chunks for a body of GET, DELETE or OPTIONS.
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? https.request : http.request;
  const sent = send(url, { method, headers, agent, signal, maxHeaderSize });
  sent.on("response", resolve);
  // `101 Switching Protocols` is a normal, if unexpected, response.
  sent.on("upgrade", (message, socket) => {
    socket.destroy();
    resolve(message);
  });
  sent.on("error", reject);
  if (request.stream === undefined) sent.end(body);
  else sendStream(request.stream, sent, signal).catch(reject);
  const message = await response;
  return { request, status: message.statusCode ?? 0, headers: message.headers, message };
}

/** Not awaited: the response may arrive before the body is sent. */
async function sendStream(
  { open, onSent }: StreamedBody,
  sent: Writable,
  signal: AbortSignal,
): Promise<void> {
  const counted = async function* (body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      yield chunk;
      onSent(chunk.length);
    }
  };
  await pipeline(open(), counted, sent, { signal });
}

/**
 * The agent of the toolkit's client, which connects through the proxy. The client's own requests are not used: they limit
 * silence instead of the total time, and never settle if a body is truncated
 * (https://github.com/actions/toolkit/blob/main/packages/http-client/src/index.ts).
 */
function proxyAgent(url: URL, signal: AbortSignal): Agent {
  const agent: Agent = new HttpClient(userAgent).getAgent(url.href);
  // The package `tunnel` sends its CONNECT with these options. Without the signal a silent proxy would be waited for forever.
  if ("proxyOptions" in agent && typeof agent.proxyOptions === "object") {
    Object.assign(agent.proxyOptions ?? {}, { signal });
  }
  return agent;
}

/** Reads a response completely. @throws ConnectionError if it holds more than `maxBytes` */
export async function readBody(
  { request, status, headers, message }: OpenResponse,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const tooLarge = () =>
    new ConnectionError(request, text`the response is larger than ${maxBytes / 1_000_000} MB`, {
      kind: "too_large",
      sent: true,
    });
  const body = await readBytes(message, { maxBytes, tooLarge, signal });
  return { request, status, headers, text: body.toString("utf8") };
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
  readonly signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  readonly onProgress?: (receivedBytes: number) => void;
}

/** Reads a body completely. @throws the error of `tooLarge` if it holds more than `maxBytes` */
export async function readBytes(
  message: IncomingMessage,
  { maxBytes, tooLarge, signal, onProgress }: BodyLimits,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const collector = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      size += chunk.length;
      onProgress?.(size);
      done(size > maxBytes ? tooLarge() : null);
    },
  });
  await pipeline(message, collector, { signal });
  return Buffer.concat(chunks);
}

export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}
