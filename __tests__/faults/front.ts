import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { listen } from "../support/listen.ts";
import type { Certificate, Certificates } from "./certificates.ts";
import { isOfConnection, needsTls } from "./faults.ts";
import type { ArmedFault } from "./misbehave.ts";

/** A port of this machine, with the faults of connections. */
export interface Front {
  readonly url: string;
  /** Requests that came over a connection whose certificate is bad. There must be none. */
  readonly overBadTls: number;
  /** The connection that a request came over, below TLS. */
  connectionOf(remotePort: number | undefined): Socket | undefined;
  /** To be told of every request: before a connection that is to be refused, the port is closed. */
  answering(requests: number): void;
  /** To be told whenever the run pauses: a port that refuses connections is opened after so many pauses. */
  pausing(): Promise<void>;
  close(): void;
}

/** Opens a free port for `listener`, with TLS where the fault needs it. */
export async function openFront(
  listener: RequestListener,
  certificates: Certificates,
  armed: ArmedFault | undefined,
): Promise<Front> {
  const mishap = armed?.fault.mishap;
  const secure = armed !== undefined && needsTls(armed.fault);
  const sockets = new Set<Socket>();
  let connections = 0;
  let overBadTls = 0;
  let pauses = 0;

  const usual = secure ? tlsServer(certificates.good, listener) : createServer(listener);
  const untrusted =
    mishap?.kind === "certificate" &&
    tlsServer(certificates.flawed[mishap.flaw], (_incoming, outgoing) => {
      overBadTls += 1;
      outgoing.destroy();
    });

  const port = createTcpServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy()));
    const isHit = armed !== undefined && hits(armed, connections++);
    if (isHit && mishap?.kind === "no TLS")
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else (isHit && untrusted ? untrusted : usual).emit("connection", socket);
  });
  const number = await listenOnOwnPort(port);

  const refuseFrom = mishap?.kind === "refused" ? armed?.requestsBefore : undefined;
  const answering = (requests: number) => {
    if (requests === refuseFrom) port.close();
  };
  answering(0);

  return {
    url: `${secure ? "https" : "http"}://127.0.0.1:${number}`,
    get overBadTls() {
      return overBadTls;
    },
    connectionOf: (remotePort) => [...sockets].find((socket) => socket.remotePort === remotePort),
    answering,
    async pausing() {
      if (port.listening || armed === undefined) return;
      pauses += 1;
      if (pauses >= armed.times) await listen(port, number);
    },
    close() {
      if (port.listening) port.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Below the context that a system gives away by itself (Linux: from 32768 on), for each of Jest's workers its own. */
const portsPerWorker = 4000;
const firstPort = 10_000 + portsPerWorker * (Number(process.env.JEST_WORKER_ID ?? 1) % 5);
let portsTaken = 0;

/** A port that refuses connections is closed for a while: nothing else is to come by it meanwhile. */
async function listenOnOwnPort(server: Server): Promise<number> {
  for (;;) {
    const number = firstPort + (portsTaken++ % portsPerWorker);
    try {
      return await listen(server, number);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    }
  }
}

/** Whether a fault of connections befalls the connection of this index, from 0. */
function hits({ fault, requestsBefore, times }: ArmedFault, index: number): boolean {
  return isOfConnection(fault) && index >= requestsBefore && index < requestsBefore + times;
}

function tlsServer(certificate: Certificate, listener: RequestListener): Server {
  const server = createTlsServer(certificate, listener);
  return server.on("tlsClientError", (_error, socket) => socket.destroy());
}
