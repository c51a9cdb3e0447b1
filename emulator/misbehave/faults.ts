/** Faults on the wire: how a request that is to go wrong goes wrong. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Fault } from "./rules.ts";

/** A request and its answer as node sees them: faults on the socket need them. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Whether the request goes wrong before its body is read. */
export function leavesBodyUnread(fault: Fault): boolean {
  return fault.kind === "reset" && !fault.applied;
}

/**
 * Answers a request the wrong way.
 * @param applyPlan carries the request out and gives the right answer; called only where the fault says so
 */
export async function respondWith(
  fault: Fault,
  applyPlan: () => Promise<Response>,
  { incoming, outgoing }: Exchange,
): Promise<Response> {
  switch (fault.kind) {
    case "cut":
      return cut(await applyPlan(), fault, outgoing);
    case "trickle":
      return trickle(await applyPlan(), fault.milliseconds);
    case "answer":
      if (fault.applied) await discard(applyPlan);
      return answer(fault);
    case "hang":
      if (fault.applied) await discard(applyPlan);
      return await new Promise(() => {});
    case "reset":
      if (fault.applied) await discard(applyPlan);
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
  }
}

/** A report that nobody reads would stay open in the database. */
async function discard(applyPlan: () => Promise<Response>): Promise<void> {
  await (await applyPlan()).body?.cancel();
}

const BODILESS = new Set([204, 205, 304]);

function answer({ status, headers, body }: Extract<Fault, { kind: "answer" }>): Response {
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

async function trickle(response: Response, milliseconds: number): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer());
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await sleep(milliseconds);
      if (sent < body.length) controller.enqueue(body.subarray(sent, ++sent));
      if (sent >= body.length) controller.close();
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(body.length));
  return new Response(stream, { status: response.status, headers });
}

/** The same answer without some of its keys, at any depth of its JSON. */
export async function hideFields(response: Response, fields: readonly string[]): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (fields.length === 0 || !isJson) return response;
  const body: unknown = JSON.parse(await response.text(), function (key, value) {
    return fields.includes(key) && !Array.isArray(this) ? undefined : value;
  });
  return Response.json(body, { status: response.status });
}
