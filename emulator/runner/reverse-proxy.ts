import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { createProxyServer, type ProxyServer } from "httpxy";
import { isLoopbackHost } from "../loopback.ts";

const host = "127.0.0.1";

export interface ReverseProxyOptions {
  /** How long requests in flight may still take when another upstream takes over, in milliseconds; 5 seconds by default. */
  readonly drainMs?: number;
}

/** The address of a deployment: a reverse proxy that keeps its port, whichever revision responds behind it. */
export class ReverseProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #proxy = createProxy();
  readonly #drainMs: number;
  #upstreamPort: number | null = null;
  /** What has not ended yet, and the port of its upstream. */
  readonly #inFlight = new Map<ServerResponse | Socket, number>();

  private constructor(server: Server, port: number, drainMs: number) {
    this.#server = server;
    this.port = port;
    this.#drainMs = drainMs;
    server.on("request", (request, response) => this.#forward(request, response));
    server.on("upgrade", (request, _socket, head) => this.#forwardUpgrade(request, head));
  }

  /** Opens a port of the loopback; 0: any free one. @throws the error of the server, such as EADDRINUSE */
  static async open(port: number, { drainMs = 5_000 }: ReverseProxyOptions = {}): Promise<ReverseProxy> {
    const server = createServer({
      // A run may take long to send; the agent decides when it has waited enough.
      requestTimeout: 0,
      // Longer than clients keep idle connections, so that none is closed under a request.
      keepAliveTimeout: 120_000,
      // Other upgrades, such as the offer of HTTP/2 that Java's client makes, are ordinary requests.
      shouldUpgradeCallback: isWebSocket,
    });
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port");
    return new ReverseProxy(server, address.port, drainMs);
  }

  /**
   * Sends new requests to another upstream from now on. Resolves when those in flight on earlier ones have ended; after
   * `drainMs` their connections are cut.
   */
  async switchTo(upstreamPort: number): Promise<void> {
    this.#upstreamPort = upstreamPort;
    const earlier = [...this.#inFlight].filter(([, port]) => port !== upstreamPort).map(([stream]) => stream);
    const cut = () => {
      for (const stream of earlier) stream.destroy();
    };
    const timer = setTimeout(cut, this.#drainMs);
    await Promise.all(earlier.map((stream) => new Promise((resolve) => stream.once("close", resolve))));
    clearTimeout(timer);
  }

  /** Whether requests to this upstream have not ended. */
  isBusy(upstreamPort: number): boolean {
    return [...this.#inFlight.values()].includes(upstreamPort);
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const stream of this.#inFlight.keys()) stream.destroy();
    this.#server.closeAllConnections();
    await closed;
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const port = this.#upstreamFor(request);
    if (typeof port !== "number") {
      respond(response, port);
      return;
    }
    this.#track(response, port);
    if (request.headers.upgrade !== undefined) {
      delete request.headers.upgrade;
      delete request.headers.connection;
    }
    // Its errors are also events.
    this.#proxy.web(request, response, { target: { host, port } }).catch(() => {});
  }

  #forwardUpgrade(request: IncomingMessage, head: Buffer): void {
    const { socket } = request;
    const port = this.#upstreamFor(request);
    // Without a listener, a client that goes away would end the process.
    socket.on("error", () => socket.destroy());
    if (typeof port !== "number") {
      socket.end(rawResponse(port));
      return;
    }
    this.#track(socket, port);
    this.#proxy.ws(request, socket, { target: { host, port } }, head).catch(() => {});
  }

  #upstreamFor({ headers }: IncomingMessage): number | Failure {
    if (!isLoopbackHost(headers.host)) return FOREIGN_HOST;
    return this.#upstreamPort ?? NOT_LIVE;
  }

  #track(stream: ServerResponse | Socket, port: number): void {
    this.#inFlight.set(stream, port);
    stream.once("close", () => this.#inFlight.delete(stream));
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** A proxy whose every request has a connection of its own, so that the upstream can't close an idle one under it. */
function createProxy(): ProxyServer {
  const proxy = createProxyServer({ agent: false });
  proxy.on("proxyRes", (received, _request, response) => {
    // Node.js reads statuses and reason phrases that it refuses to send.
    if ((received.statusCode ?? 0) < 200) {
      respond(response, INVALID);
      received.destroy();
      return;
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(received.statusMessage ?? "")) received.statusMessage = "";
    // The agent's connection ends, but the client's stays open.
    delete received.headers.connection;
    // Once the proxy has copied the headers: a stream may have nothing else to send for a while.
    queueMicrotask(() => response.flushHeaders());
  });
  proxy.on("error", (_error, _request, response) => {
    if (response instanceof ServerResponse && !response.headersSent) respond(response, UNREACHABLE);
  });
  proxy.on("proxyReqWs", (upgrade, _request, socket) => {
    const refuse = () => void socket.end(rawResponse(UNREACHABLE));
    upgrade.once("error", refuse);
    upgrade.once("response", () => upgrade.off("error", refuse));
    upgrade.once("upgrade", (_response, upstream) => {
      upstream.once("close", () => socket.destroySoon());
      socket.once("close", () => upstream.destroy());
    });
    socket.once("close", () => upgrade.destroy());
  });
  return proxy;
}

interface Failure {
  readonly status: 421 | 502 | 503;
  readonly detail: string;
}

const FOREIGN_HOST: Failure = {
  status: 421,
  detail: "The Host of a request has to be localhost or a loopback address.",
};
const NOT_LIVE: Failure = { status: 503, detail: "No revision of this deployment is live yet." };
const UNREACHABLE: Failure = { status: 502, detail: "The agent does not respond." };
const INVALID: Failure = { status: 502, detail: "The agent's response is invalid." };

function respond(response: ServerResponse, { status, detail }: Failure): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
}

function rawResponse({ status, detail }: Failure): string {
  const body = JSON.stringify({ detail });
  const headers = ["content-type: application/json", `content-length: ${body.length}`, "connection: close"];
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, "", body].join("\r\n");
}
