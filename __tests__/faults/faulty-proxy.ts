import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Certificates } from "./certificates.ts";
import { isOfConnection } from "./faults.ts";
import { openFaultyPort } from "./faulty-port.ts";
import { type PlacedFault, respondWithFault, type ServerAnswer } from "./wire-fault.ts";

/** A request, and what became of it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, by the clock of the run. */
  readonly at: number;
  body: string;
  /** Undefined if no complete response was sent. `isReal`: it is the server's. */
  response: { readonly status: number; readonly text: string; readonly isReal: boolean } | undefined;
}

export interface FaultyProxy {
  readonly url: string;
  /** Every request that could be read, in order. */
  readonly requests: readonly ProxiedRequest[];
  /** Requests that came over a connection with a bad certificate. There must be none. */
  readonly overBadTls: number;
  /** To be called before each delay of the run. */
  onDelay(): Promise<void>;
  close(): void;
}

export interface ProxyOptions {
  /** Address of the server, without a path. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly placed: PlacedFault | undefined;
  readonly certificates: Certificates;
}

/** A proxy on this machine that passes everything on, except for what the fault changes. */
export async function startFaultyProxy(options: ProxyOptions): Promise<FaultyProxy> {
  const { target, now, placed, certificates } = options;
  const agent = new Agent({ keepAlive: true });
  const requests: ProxiedRequest[] = [];
  const port = await openFaultyPort(
    (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()),
    certificates,
    placed,
  );

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const entry = entryOf(incoming, now());
    const before = requests.slice();
    requests.push(entry);
    const fault = placed !== undefined && affects(placed, entry, before) ? placed : undefined;
    if (fault?.fault.wire.kind === "reset unread") {
      incoming.socket.resetAndDestroy();
      return;
    }
    const body = await readAll(incoming);
    entry.body = body.toString("utf8");
    port.onRequest(requests.length);
    const forward = async () => withOwnLinks(await passOn(entry, body, `${target}${incoming.url}`, agent));
    if (fault !== undefined) {
      const connection = port.connectionOf(incoming.socket.remotePort);
      entry.response = await respondWithFault(fault, forward, { outgoing, connection, now: now() });
      return;
    }
    const answer = await forward();
    entry.response = { status: answer.status, text: answer.body.toString("utf8"), isReal: true };
    outgoing.writeHead(answer.status, { ...answer.headers, connection: "close" });
    outgoing.end(answer.body);
  }

  /** Links to the server become links to the proxy. */
  function withOwnLinks(answer: ServerAnswer): ServerAnswer {
    if (!answer.body.includes(target)) return answer;
    return { ...answer, body: Buffer.from(answer.body.toString("utf8").replaceAll(target, port.url)) };
  }

  return {
    url: port.url,
    requests,
    get overBadTls() {
      return port.overBadTls;
    },
    onDelay: port.onDelay,
    close() {
      port.close();
      agent.destroy();
    },
  };
}

function entryOf({ method = "", url = "/", headers }: IncomingMessage, at: number): ProxiedRequest {
  const { pathname: path } = new URL(url, "http://proxy.invalid");
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method, path, headers: Object.fromEntries(given), at, body: "", response: undefined };
}

/** Whether the fault affects a request; `before`: the requests that came before it. */
function affects(placed: PlacedFault, entry: ProxiedRequest, before: readonly ProxiedRequest[]): boolean {
  const { fault, route, from, times } = placed;
  if (isOfConnection(fault) || !route(entry, before)) return false;
  const nth = before.filter((one, index) => route(one, before.slice(0, index))).length + 1;
  return nth >= from && nth < from + times;
}

function passOn(entry: ProxiedRequest, body: Buffer, url: string, agent: Agent): Promise<ServerAnswer> {
  const { connection: _hop, "transfer-encoding": _framing, ...headers } = entry.headers;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: entry.method, headers, agent });
    sent.once("error", reject);
    sent.once("response", (answer) => {
      const { connection: _c, "transfer-encoding": _t, "content-length": _l, ...kept } = answer.headers;
      readAll(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: kept, body: bytes }),
        reject,
      );
    });
    sent.end(body);
  });
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
