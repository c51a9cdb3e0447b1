import { once } from "node:events";
import { connect, createServer } from "node:net";
import { listen } from "./listen.ts";

/** Another address of a server, on a port of its own. Its connections end with those of the server. */
export async function startForwarder(server: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(server);
  const forwarder = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  return {
    url: `http://127.0.0.1:${await listen(forwarder)}`,
    async close() {
      forwarder.close();
      await once(forwarder, "close");
    },
  };
}
