import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/**
 * Lets a server listen on 127.0.0.1, on any free port unless told which.
 *
 * @returns the port.
 * @throws the server's own error, such as EADDRINUSE, if it cannot listen there.
 */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  // Not the callback of listen(): that is never called if the port is taken, while this throws.
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/** Closes a server and its connections, in the middle of an answer too, and waits until they are closed. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
