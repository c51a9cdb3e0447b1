import { createServer } from "node:http";
import { closeServer, listen } from "../../support/listen.ts";

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
  const platform: HostilePlatform = {
    url: `http://127.0.0.1:${await listen(server)}`,
    answer: () => ({ status: 500, body: "" }),
    close: () => closeServer(server),
  };
  return platform;
}
