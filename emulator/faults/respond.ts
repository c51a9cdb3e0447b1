/** Faults of a single response: another one, none, or only a part of it. */
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Fault } from "./fault-rule.ts";

/** A request and its response in Node's own form: faults of the connection need the socket. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A listener of Node's own server, which also passes the exchange. */
export function createListener(
  respond: (request: Request, exchange: Exchange) => Promise<Response>,
): RequestListener {
  const listener = getRequestListener(async (request, { incoming, outgoing }) => {
    if (!(incoming instanceof IncomingMessage && outgoing instanceof ServerResponse)) {
      throw new TypeError("the emulator does not serve HTTP/2");
    }
    return await respond(request, { incoming, outgoing });
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** Whether the fault happens before the whole body of the request is read. */
export function leavesBodyUnread(fault: Fault): boolean {
  return fault.kind === "reset" && !fault.applied;
}

/**
 * The response of a request that a fault affects.
 * @param respond lets the request take effect; called only if the fault does not prevent that
 */
export async function respondWithFault(
  fault: Fault,
  respond: () => Promise<Response>,
  { incoming, outgoing }: Exchange,
): Promise<Response> {
  switch (fault.kind) {
    case "cut":
      return cut(await respond(), fault, outgoing);
    case "trickle":
      return trickle(await respond(), fault.milliseconds);
    case "answer":
      if (fault.applied) await discard(respond);
      return replacement(fault);
    case "hang":
      if (fault.applied) await discard(respond);
      return await new Promise(() => {});
    case "reset":
      if (fault.applied) await discard(respond);
      else await readBytes(incoming, fault.bytes);
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "delay":
      await delay(fault.milliseconds);
      return await respond();
    case "whitespace":
      return whitespace(fault.milliseconds);
    case "huge":
      return huge(fault.bytes);
    case "echo":
      return Response.json({ method: incoming.method, url: incoming.url, headers: incoming.headers });
  }
}

/** White space before the JSON, which never comes. */
function whitespace(intervalMs: number): Response {
  const line = new TextEncoder().encode("\n");
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(line);
      await delay(intervalMs);
    },
  });
  return new Response(stream, { headers: { "content-type": "application/json" } });
}

function huge(bytes: number): Response {
  const chunk = new TextEncoder().encode("x".repeat(65_536));
  let left = bytes;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('"')),
    pull(controller) {
      const next = chunk.subarray(0, left);
      left -= next.length;
      controller.enqueue(next.length === 0 ? new TextEncoder().encode('"') : next);
      if (next.length === 0) controller.close();
    },
  });
  return new Response(stream, { headers: { "content-type": "application/json" } });
}

/** An unread report would keep its query open in the database. */
async function discard(respond: () => Promise<Response>): Promise<void> {
  await (await respond()).body?.cancel();
}

async function readBytes(incoming: IncomingMessage, bytes: number): Promise<void> {
  if (bytes === 0) return;
  let read = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    read += Buffer.byteLength(chunk);
    if (read >= bytes) return;
  }
}

const BODILESS = new Set([204, 205, 304]);

function replacement({ status, headers, body }: Extract<Fault, { kind: "answer" }>): Response {
  if (body === undefined || BODILESS.has(status)) return new Response(null, { status, headers });
  if (typeof body === "string") return new Response(body, { status, headers });
  return Response.json(body, { status, headers });
}

async function cut(
  response: Response,
  { bytes, framing }: Extract<Fault, { kind: "cut" }>,
  outgoing: ServerResponse,
): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  const length = framing === "length" ? { "content-length": String(body.length) } : {};
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
  outgoing.flushHeaders();
  outgoing.write(body.subarray(0, bytes ?? Math.floor(body.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

async function trickle(response: Response, delayMs: number): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer());
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await delay(delayMs);
      if (sent < body.length) controller.enqueue(body.subarray(sent, ++sent));
      if (sent >= body.length) controller.close();
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(body.length));
  return new Response(stream, { status: response.status, headers });
}

/** The response without these keys, at any depth of its JSON. */
export async function hideFields(response: Response, fields: readonly string[]): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (fields.length === 0 || !isJson) return response;
  const body: unknown = JSON.parse(await response.text(), function (key, value) {
    return fields.includes(key) && !Array.isArray(this) ? undefined : value;
  });
  return Response.json(body, { status: response.status });
}
