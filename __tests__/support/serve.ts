import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach } from "@jest/globals";
import { closeServer, listen } from "./listen.ts";

const running: Server[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await closeServer(server);
});

/** Starts an HTTP server, which is closed after the test, and returns its URL, `http://127.0.0.1:PORT`. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  running.push(server);
  return `http://127.0.0.1:${port}`;
}
