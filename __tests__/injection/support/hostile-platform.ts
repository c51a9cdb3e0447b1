import { once } from "node:events";
import { createServer } from "node:http";

export interface HostileAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body: unknown;
}

/** A control plane that says what it is told to. */
export interface HostilePlatform {
  readonly url: string;
  /** Answers a request, by method and path such as `GET /v2/deployments`. */
  answer: (line: string) => HostileAnswer;
  close(): Promise<void>;
}

export async function startHostilePlatform(): Promise<HostilePlatform> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const { status, headers, body } = platform.answer(`${request.method} ${path}`);
    request.resume();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const platform: HostilePlatform = {
    url: `http://127.0.0.1:${address.port}`,
    answer: () => ({ status: 500, body: "" }),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return platform;
}
