import { createServer, type Socket } from "node:net";
import { listen } from "../support/listen.ts";

/** A host that nothing must ever be sent to. */
export interface Elsewhere {
  readonly url: string;
  /** Connections that were made to it. */
  readonly visits: number;
}

/** Starts it on a free port of this machine. */
export async function startElsewhere(): Promise<Elsewhere & { close(): Promise<void> }> {
  let visits = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    visits += 1;
    sockets.push(socket.on("error", () => socket.destroy()));
    socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}");
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/elsewhere`,
    get visits() {
      return visits;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
