import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "./listen.ts";

export interface ConnectProxy {
  /** For `HTTP_PROXY`. */
  readonly url: string;
  /** The `host:port` of each requested tunnel, in order. */
  readonly tunnels: readonly string[];
  /** The `Proxy-Authorization` headers that clients sent. */
  readonly credentials: ReadonlySet<string | undefined>;
  close(): Promise<void>;
}

/** A proxy on 127.0.0.1 that opens tunnels to these servers only. Others are refused. `refusal`: a status and its reason. */
export async function startProxy(
  serversByName: Readonly<Record<string, string>>,
  refusal = "403 Forbidden",
): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const credentials = new Set<string | undefined>();
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    tunnels.push(url);
    credentials.add(headers["proxy-authorization"]);
    const behind = serversByName[new URL(`http://${url}`).hostname];
    if (behind === undefined) {
      // Who is refused may close the connection in any way.
      client.on("error", () => client.destroy());
      client.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(behind);
    const upstream = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    tunnels,
    credentials,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
