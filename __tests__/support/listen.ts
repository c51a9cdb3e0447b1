import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:net";

/**
 * Lets a server listen on 127.0.0.1 and returns its port; 0: any free one.
 *
 * @throws the server's error, such as EADDRINUSE, if it can't listen there.
 */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  // The callback of listen() is never called if the port is taken; this throws then.
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/** Closes a server and its connections, even in the middle of a response. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/** A port that is free now, for a program that can't choose one itself. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, "close");
  return port;
}
