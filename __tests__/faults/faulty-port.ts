import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { isNativeError } from "node:util/types";
import { listen } from "../support/listen.ts";
import type { Certificate, Certificates } from "./certificates.ts";
import { isOfConnection, needsTls } from "./faults.ts";
import type { PlacedFault } from "./wire-fault.ts";

/** A port of this machine, with the faults of connections. */
export interface FaultyPort {
  readonly url: string;
  /** Requests that came over a connection with a bad certificate. There must be none. */
  readonly overBadTls: number;
  /** The connection of a request, below TLS. */
  connectionOf(remotePort: number | undefined): Socket | undefined;
  /** To be called with the number of requests so far: the port is closed before a connection that is to be refused. */
  onRequest(requests: number): void;
  /** To be called before each delay of the run: a port that refuses connections opens again after some of them. */
  onDelay(): Promise<void>;
  close(): void;
}

/** Opens a port for `listener`, with TLS if the fault needs it. */
export async function openFaultyPort(
  listener: RequestListener,
  certificates: Certificates,
  placed: PlacedFault | undefined,
): Promise<FaultyPort> {
  const wire = placed?.fault.wire;
  const isSecure = placed !== undefined && needsTls(placed.fault);
  const sockets = new Set<Socket>();
  let connections = 0;
  let overBadTls = 0;
  let delays = 0;

  const server = isSecure ? tlsServer(certificates.good, listener) : createServer(listener);
  const untrusted =
    wire?.kind === "certificate" &&
    tlsServer(certificates.flawed[wire.flaw], (_incoming, outgoing) => {
      overBadTls += 1;
      outgoing.destroy();
    });
  const port = createTcpServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    const isAffected = placed !== undefined && affects(placed, connections++);
    if (isAffected && wire?.kind === "plain HTTP")
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else (isAffected && untrusted ? untrusted : server).emit("connection", socket);
  });
  const number = await listenOnOwnPort(port);

  const onRequest = (requests: number) => {
    if (wire?.kind === "refused" && requests === placed?.requestsBefore) port.close();
  };
  onRequest(0);

  return {
    url: `${isSecure ? "https" : "http"}://127.0.0.1:${number}`,
    get overBadTls() {
      return overBadTls;
    },
    connectionOf: (remotePort) => [...sockets].find((socket) => socket.remotePort === remotePort),
    onRequest,
    async onDelay() {
      if (port.listening || placed === undefined) return;
      delays += 1;
      if (delays >= placed.times) await listen(port, number);
    },
    close() {
      if (port.listening) port.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Below the ports that Linux assigns by itself (32768 and up), different ones for each of Jest's workers. */
const portsPerWorker = 4000;
const firstPort = 10_000 + portsPerWorker * (Number(process.env.JEST_WORKER_ID ?? 1) % 5);
let portsTaken = 0;

/** A port that refuses connections is closed for a while. Nobody else must get it meanwhile. */
async function listenOnOwnPort(server: Server): Promise<number> {
  for (;;) {
    const number = firstPort + (portsTaken++ % portsPerWorker);
    try {
      return await listen(server, number);
    } catch (error) {
      if (!isNativeError(error) || !("code" in error) || error.code !== "EADDRINUSE") throw error;
    }
  }
}

/** Whether a fault of connections affects the connection of this index, from 0. */
function affects({ fault, requestsBefore, times }: PlacedFault, index: number): boolean {
  return isOfConnection(fault) && index >= requestsBefore && index < requestsBefore + times;
}

function tlsServer(certificate: Certificate, listener: RequestListener): Server {
  const server = createTlsServer(certificate, listener);
  return server.on("tlsClientError", (_error, socket) => socket.destroy());
}
