import { once } from "node:events";
import { connect, createServer } from "node:net";
import { listen } from "./listen.ts";

interface Forwarder {
  readonly url: string;
  /** Accepts connections again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Another address of a server, on a port of its own. Its connections end with those of the server. `maxConnections`: after
 * so many, the next ones are refused.
 */
export async function startForwarder(server: string, maxConnections = Number.NaN): Promise<Forwarder> {
  const { hostname, port } = new URL(server);
  let connections = 0;
  const forwarder = createServer((client) => {
    connections += 1;
    if (connections === maxConnections) forwarder.close();
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  const ownPort = await listen(forwarder);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async resume() {
      await listen(forwarder, ownPort);
    },
    async close() {
      forwarder.close();
      await once(forwarder, "close");
    },
  };
}
