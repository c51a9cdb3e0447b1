import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import * as v from "valibot";
import type { FalseAnswer, Fault } from "./faults.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";

/** A fault, and the requests that it befalls. */
export interface ArmedFault {
  readonly fault: Fault;
  /** Whether the server behind is given the request all the same. */
  readonly applied: boolean;
  /** `Infinity`: for ever. */
  readonly times: number;
  /** Whether a request is one of those; `before`: the requests that came before it. */
  readonly route: (request: ProxiedRequest, before: readonly ProxiedRequest[]) => boolean;
  /** The first of those that goes wrong, counted from 1. */
  readonly from: number;
  /** How many requests come before it in a run where nothing goes wrong: faults of the connection count these. */
  readonly requestsBefore: number;
  /** Where a redirect leads. */
  readonly elsewhere: string;
}

export type Misconduct = Pick<ArmedFault, "fault" | "applied" | "elsewhere">;

/** What the server behind answered, without what belongs to one connection. */
export interface Forwarded {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Answers a request the wrong way, which is not one of the connection. `forward` gives it to the server behind; `raw`:
 * the connection below TLS. Resolves with what was answered, where a whole answer was.
 */
export async function misbehave(
  { fault: { mishap }, applied, elsewhere }: Misconduct,
  forward: () => Promise<Forwarded>,
  outgoing: ServerResponse,
  { raw, now }: { raw: Socket | undefined; now: number },
): Promise<ProxiedRequest["answer"]> {
  const real = applied ? await forward() : undefined;
  switch (mishap.kind) {
    case "reset":
      outgoing.socket?.resetAndDestroy();
      return undefined;
    case "garbled TLS":
      raw?.write("HTTP/1.1 502 Bad Gateway\r\n\r\n", () => raw.destroy());
      return undefined;
    case "silence":
      return undefined;
    case "trickle":
      trickle(bodyOf(real), statusOf(real), outgoing);
      return undefined;
    case "cut":
      cut(bodyOf(real), statusOf(real), mishap.framing, outgoing);
      return undefined;
    case "flood":
      flood(mishap.bytes, statusOf(real), outgoing);
      return undefined;
    case "without":
      return send({ status: statusOf(real), body: without(mishap.keys, bodyOf(real)) }, outgoing, true);
    case "another's":
      return send({ status: statusOf(real), body: ofAnother(bodyOf(real)) }, outgoing, true);
    case "upgrade":
      outgoing.socket?.write(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: another/1\r\n\r\n",
      );
      return undefined;
    case "answer":
      return send({ ...mishap, headers: mishap.headers?.({ now, elsewhere }) ?? {} }, outgoing, false);
    default:
      throw new Error(`${mishap.kind} is no fault of a request`);
  }
}

/** A deletion's answer has no body: what is cut or comes slowly is promised then. */
function bodyOf(real: Forwarded | undefined): Buffer {
  return real === undefined || real.body.length === 0 ? Buffer.from('{"deleted": true}') : real.body;
}

function statusOf(real: Forwarded | undefined): number {
  return real === undefined || real.status === 204 ? 200 : real.status;
}

function send(
  answer: Omit<FalseAnswer, "headers"> & { readonly headers?: Record<string, string> },
  outgoing: ServerResponse,
  real: boolean,
): ProxiedRequest["answer"] {
  const { status, headers, body: text = "" } = answer;
  outgoing.writeHead(status, { "content-type": "application/json", ...headers, connection: "close" });
  outgoing.end(text);
  return { status, text, real };
}

function head(status: number, outgoing: ServerResponse, length: number | undefined): void {
  outgoing.writeHead(status, {
    "content-type": "application/json",
    connection: "close",
    ...(length !== undefined && { "content-length": length }),
  });
}

const aSecond = 1000;

function trickle(body: Buffer, status: number, outgoing: ServerResponse): void {
  head(status, outgoing, body.length);
  let sent = 0;
  const next = () => {
    outgoing.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent === body.length) outgoing.end();
  };
  next();
  const timer = setInterval(next, aSecond);
  outgoing.once("close", () => clearInterval(timer));
}

function cut(body: Buffer, status: number, framing: "length" | "chunked", outgoing: ServerResponse): void {
  head(status, outgoing, framing === "length" ? body.length : undefined);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

const block = Buffer.alloc(256 * 1024, "x");

/** The start of a JSON text, and more and more of it as fast as it is taken. */
function flood(bytes: number, status: number, outgoing: ServerResponse): void {
  head(status, outgoing, bytes);
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

function without(keys: readonly string[], body: Buffer): string {
  const shown: unknown = JSON.parse(body.toString("utf8"), function (key, value) {
    return keys.includes(key) && !Array.isArray(this) ? undefined : value;
  });
  return JSON.stringify(shown);
}

const OneSchema = v.looseObject({
  id: v.union([v.string(), v.number()]),
  number: v.optional(v.number()),
});

/** The same of another deployment, revision or pull request. */
function ofAnother(body: Buffer): string {
  const shown = v.parse(OneSchema, JSON.parse(body.toString("utf8")));
  const { id, number } = shown;
  return JSON.stringify({
    ...shown,
    id: typeof id === "number" ? id + 1000 : `another-${id}`,
    ...(number !== undefined && { number: number + 1000 }),
  });
}
