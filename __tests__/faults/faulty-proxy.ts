import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Certificates } from "./certificates.ts";
import { isOfConnection } from "./faults.ts";
import { openFront } from "./front.ts";
import { type ArmedFault, type Forwarded, misbehave } from "./misbehave.ts";

/** A request as it came in, and what became of it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, by the clock of the run. */
  readonly at: number;
  body: string;
  /** Undefined where no whole answer was sent. `real`: it is what the server behind gave. */
  answer: { readonly status: number; readonly text: string; readonly real: boolean } | undefined;
}

export interface FaultyProxy {
  readonly url: string;
  /** Every request that could be read, in order. */
  readonly requests: readonly ProxiedRequest[];
  /** Requests that came over a connection whose certificate is bad. There must be none. */
  readonly overBadTls: number;
  /** To be called whenever the run pauses: a port that refuses connections is opened after so many pauses. */
  pausing(): Promise<void>;
  close(): void;
}

export interface ProxyOptions {
  /** Address of the server behind, without a path. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly armed: ArmedFault | undefined;
  readonly certificates: Certificates;
}

/** A proxy on a free port of this machine that passes everything on, but for what the fault spoils. */
export async function startFaultyProxy(options: ProxyOptions): Promise<FaultyProxy> {
  const { target, now, armed, certificates } = options;
  const agent = new Agent({ keepAlive: true });
  const requests: ProxiedRequest[] = [];
  const front = await openFront(
    (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()),
    certificates,
    armed,
  );

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const entry = entryOf(incoming, now());
    const before = requests.slice();
    requests.push(entry);
    const fault = armed !== undefined && befalls(armed, entry, before) ? armed : undefined;
    if (fault?.fault.mishap.kind === "reset unread") {
      incoming.socket.resetAndDestroy();
      return;
    }
    entry.body = (await bufferOf(incoming)).toString("utf8");
    front.answering(requests.length);
    const forward = async () => atProxy(await passOn(entry, `${target}${incoming.url}`, agent));
    if (fault !== undefined) {
      const raw = front.connectionOf(incoming.socket.remotePort);
      entry.answer = await misbehave(fault, forward, outgoing, { raw, now: now() });
      return;
    }
    const { status, headers, body } = await forward();
    entry.answer = { status, text: body.toString("utf8"), real: true };
    outgoing.writeHead(status, { ...headers, connection: "close" });
    outgoing.end(body);
  }

  /** What leads to the server behind leads to the proxy. */
  function atProxy(answer: Forwarded): Forwarded {
    if (!answer.body.includes(target)) return answer;
    return { ...answer, body: Buffer.from(answer.body.toString("utf8").replaceAll(target, front.url)) };
  }

  return {
    url: front.url,
    requests,
    get overBadTls() {
      return front.overBadTls;
    },
    pausing: front.pausing,
    close() {
      front.close();
      agent.destroy();
    },
  };
}

function entryOf({ method = "", url = "/", headers }: IncomingMessage, at: number): ProxiedRequest {
  const { pathname: path } = new URL(url, "http://proxy.invalid");
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method, path, headers: Object.fromEntries(given), at, body: "", answer: undefined };
}

/** Whether the fault befalls a request; `before`: the requests that came before it. */
function befalls(armed: ArmedFault, entry: ProxiedRequest, before: readonly ProxiedRequest[]): boolean {
  const { fault, route, from, times } = armed;
  if (isOfConnection(fault) || !route(entry, before)) return false;
  const nth = before.filter((one, index) => route(one, before.slice(0, index))).length + 1;
  return nth >= from && nth < from + times;
}

/** Gives a request to the server behind. */
function passOn({ method, headers, body }: ProxiedRequest, url: string, agent: Agent): Promise<Forwarded> {
  const { connection: _hop, "transfer-encoding": _framing, ...passed } = headers;
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: passed, agent });
    asked.once("error", reject);
    asked.once("response", (answer) => {
      const { connection: _c, "transfer-encoding": _t, "content-length": _l, ...kept } = answer.headers;
      bufferOf(answer).then(
        (content) => resolve({ status: answer.statusCode ?? 0, headers: kept, body: content }),
        reject,
      );
    });
    asked.end(body);
  });
}

async function bufferOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
