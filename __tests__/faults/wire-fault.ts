import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import * as v from "valibot";
import type { FalseResponse, Fault } from "./faults.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import type { Request } from "./scenario.ts";

/** A fault, and the requests that it affects. */
export interface PlacedFault {
  readonly fault: Fault;
  /** Whether the request takes effect anyway. */
  readonly applied: boolean;
  /** How many requests in a row it affects; `Infinity`: all. */
  readonly times: number;
  readonly route: Request["route"];
  /** The first affected request, counted from 1. */
  readonly from: number;
  /** How many requests come before it in a run without a fault: faults of the connection count these. */
  readonly requestsBefore: number;
  /** Where redirects lead. */
  readonly otherHost: string;
}

/** A response of the server, without what belongs to its connection. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** What faults need of a request on the wire. */
export interface Exchange {
  readonly outgoing: ServerResponse;
  /** The connection below TLS. */
  readonly connection: Socket | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Responds with a fault. `forward` passes the request to the server. Returns the response, if it was a complete one. */
export async function respondWithFault(
  { fault: { wire }, applied, otherHost }: PlacedFault,
  forward: () => Promise<ServerAnswer>,
  { outgoing, connection, now }: Exchange,
): Promise<ProxiedRequest["response"]> {
  const real = applied ? await forward() : undefined;
  switch (wire.kind) {
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return undefined;
    case "garbled TLS":
      connection?.write("HTTP/1.1 502 Bad Gateway\r\n\r\n", () => connection.destroy());
      return undefined;
    case "silence":
      return undefined;
    case "trickle":
      trickle(bodyOf(real), statusOf(real), outgoing);
      return undefined;
    case "cut":
      cut(bodyOf(real), statusOf(real), wire.framing, outgoing);
      return undefined;
    case "flood":
      flood(wire.bytes, statusOf(real), outgoing);
      return undefined;
    case "without":
      return send({ status: statusOf(real), body: withoutKeys(wire.keys, bodyOf(real)) }, outgoing, true);
    case "other id":
      return send({ status: statusOf(real), body: withOtherId(bodyOf(real)) }, outgoing, true);
    case "upgrade":
      outgoing.socket?.write(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: another/1\r\n\r\n",
      );
      return undefined;
    case "response":
      return send({ ...wire, headers: wire.headers?.({ now, otherHost }) ?? {} }, outgoing, false);
    default:
      throw new Error(`${wire.kind} is not a fault of a request`);
  }
}

/** The response to a deletion has no body: what is cut or slow gets one. */
function bodyOf(real: ServerAnswer | undefined): Buffer {
  return real === undefined || real.body.length === 0 ? Buffer.from('{"deleted": true}') : real.body;
}

function statusOf(real: ServerAnswer | undefined): number {
  return real === undefined || real.status === 204 ? 200 : real.status;
}

function send(
  response: Omit<FalseResponse, "headers"> & { readonly headers?: Record<string, string> },
  outgoing: ServerResponse,
  isReal: boolean,
): ProxiedRequest["response"] {
  const { status, headers, body: text = "" } = response;
  outgoing.writeHead(status, { "content-type": "application/json", ...headers, connection: "close" });
  outgoing.end(text);
  return { status, text, isReal };
}

function writeHead(status: number, length: number | undefined, outgoing: ServerResponse): void {
  const framing = length === undefined ? {} : { "content-length": length };
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close", ...framing });
}

function trickle(body: Buffer, status: number, outgoing: ServerResponse): void {
  writeHead(status, body.length, outgoing);
  let sent = 0;
  const sendByte = () => {
    outgoing.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent === body.length) outgoing.end();
  };
  sendByte();
  const timer = setInterval(sendByte, 1000);
  outgoing.once("close", () => clearInterval(timer));
}

function cut(body: Buffer, status: number, framing: "length" | "chunked", outgoing: ServerResponse): void {
  writeHead(status, framing === "length" ? body.length : undefined, outgoing);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

const block = Buffer.alloc(256 * 1024, "x");

/** The start of a JSON text, and more of it as fast as it is read. */
function flood(bytes: number, status: number, outgoing: ServerResponse): void {
  writeHead(status, bytes, outgoing);
  const start = Buffer.from('{"detail": "');
  outgoing.write(start);
  let left = bytes - start.length;
  const fill = () => {
    while (left > 0 && !outgoing.destroyed) {
      const part = block.subarray(0, Math.min(left, block.length));
      left -= part.length;
      if (!outgoing.write(part)) {
        outgoing.once("drain", fill);
        return;
      }
    }
    outgoing.end();
  };
  fill();
}

function withoutKeys(keys: readonly string[], body: Buffer): string {
  const shown: unknown = JSON.parse(body.toString("utf8"), function (key, value) {
    return keys.includes(key) && !Array.isArray(this) ? undefined : value;
  });
  return JSON.stringify(shown);
}

const IdentifiedSchema = v.looseObject({
  id: v.union([v.string(), v.number()]),
  number: v.optional(v.number()),
});

function withOtherId(body: Buffer): string {
  const shown = v.parse(IdentifiedSchema, JSON.parse(body.toString("utf8")));
  const { id, number } = shown;
  return JSON.stringify({
    ...shown,
    id: typeof id === "number" ? id + 1000 : `another-${id}`,
    ...(number !== undefined && { number: number + 1000 }),
  });
}
