import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { Certificates } from "./certificates.ts";
import { isOfConnection, needsTls } from "./faults.ts";
import { type ArmedFault, type Forwarded, type Misconduct, misbehave } from "./misbehave.ts";

/** A request as it came in, and what became of it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, by the clock of the run. */
  readonly at: number;
  body: string;
  /** Whether a fault befell it. */
  spoiled: boolean;
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
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Address of the server behind, without a path. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly armed?: ArmedFault | undefined;
  readonly certificates: Certificates;
}

/** A proxy on a free port of this machine that passes everything on, but for what the fault spoils. */
export async function startFaultyProxy(options: ProxyOptions): Promise<FaultyProxy> {
  const { armed, certificates } = options;
  const secure = armed !== undefined && needsTls(armed.fault);
  const upstream = new Agent({ keepAlive: true });
  const requests: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let overBadTls = 0;
  let pauses = 0;

  const isArmed = (kind: string) => armed?.fault.mishap.kind === kind;
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  const plain = createServer(listener);
  const trusted = createTlsServer(certificates.good, listener);
  const untrusted = createTlsServer(flawedCertificate(armed, certificates), (_incoming, outgoing) => {
    overBadTls += 1;
    outgoing.destroy();
  });
  for (const server of [trusted, untrusted])
    server.on("tlsClientError", (_error, socket) => socket.destroy());

  const front = createTcpServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    const index = connections++;
    const hit =
      armed !== undefined &&
      isOfConnection(armed.fault) &&
      index >= armed.requestsBefore &&
      index < armed.requestsBefore + armed.times;
    if (hit && isArmed("no TLS")) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else if (hit && isArmed("certificate")) untrusted.emit("connection", socket);
    else (secure ? trusted : plain).emit("connection", socket);
  });
  const port = await listen(front, 0);
  const url = `${secure ? "https" : "http"}://127.0.0.1:${port}`;
  if (isArmed("refused") && armed?.requestsBefore === 0) front.close();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(incoming.url ?? "/", "http://proxy.invalid");
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const entry: ProxiedRequest = {
      method: incoming.method ?? "",
      path: pathname,
      headers: Object.fromEntries(headers),
      at: options.now(),
      body: "",
      spoiled: false,
      answer: undefined,
    };
    const before = requests.slice();
    requests.push(entry);
    const misconduct = misconductFor(entry, before, armed);
    entry.spoiled = misconduct !== undefined;
    if (misconduct?.fault.mishap.kind === "reset unread") {
      incoming.socket.resetAndDestroy();
      return;
    }
    entry.body = await textOf(incoming);
    if (isArmed("refused") && requests.length === armed?.requestsBefore) front.close();
    const forward = () => passOn(entry, search);
    if (misconduct !== undefined) {
      const raw = [...sockets].find(({ remotePort }) => remotePort === incoming.socket.remotePort);
      entry.answer = await misbehave(misconduct, forward, outgoing, { raw, now: options.now() });
      return;
    }
    const answer = await forward();
    entry.answer = { status: answer.status, text: answer.body.toString("utf8"), real: true };
    outgoing.writeHead(answer.status, { ...answer.headers, connection: "close" });
    outgoing.end(answer.body);
  }

  function passOn({ method, path, headers, body }: ProxiedRequest, search: string): Promise<Forwarded> {
    const { connection: _hop, "transfer-encoding": _framing, ...passed } = headers;
    return new Promise((resolve, reject) => {
      const asked = request(`${options.target}${path}${search}`, {
        method,
        headers: passed,
        agent: upstream,
      });
      asked.once("error", reject);
      asked.once("response", (answer) => {
        const { connection: _c, "transfer-encoding": _t, "content-length": _l, ...kept } = answer.headers;
        bufferOf(answer).then(
          (content) => resolve({ status: answer.statusCode ?? 0, headers: kept, body: atProxy(content) }),
          reject,
        );
      });
      asked.end(body);
    });
  }

  /** What leads to the server behind leads to the proxy. */
  function atProxy(content: Buffer): Buffer {
    return content.includes(options.target)
      ? Buffer.from(content.toString("utf8").replaceAll(options.target, url))
      : content;
  }

  return {
    url,
    requests,
    get overBadTls() {
      return overBadTls;
    },
    async pausing() {
      if (!isArmed("refused") || front.listening || armed === undefined) return;
      pauses += 1;
      if (pauses >= armed.times) await listen(front, port);
    },
    async close() {
      if (front.listening) front.close();
      for (const socket of sockets) socket.destroy();
      upstream.destroy();
    },
  };
}

/** The fault that befalls a request, if any; `before`: the requests that came before it. */
function misconductFor(
  entry: ProxiedRequest,
  before: readonly ProxiedRequest[],
  armed: ArmedFault | undefined,
): Misconduct | undefined {
  if (armed === undefined || isOfConnection(armed.fault) || !armed.route(entry, before)) return undefined;
  const nth = before.filter((one, index) => armed.route(one, before.slice(0, index))).length + 1;
  return nth >= armed.from && nth < armed.from + armed.times ? armed : undefined;
}

function flawedCertificate(armed: ArmedFault | undefined, certificates: Certificates) {
  const mishap = armed?.fault.mishap;
  return certificates.flawed[mishap?.kind === "certificate" ? mishap.flaw : "self-signed"];
}

async function listen(server: ReturnType<typeof createTcpServer>, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy doesn't listen on a port");
  return address.port;
}

async function bufferOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function textOf(message: IncomingMessage): Promise<string> {
  return (await bufferOf(message)).toString("utf8");
}
