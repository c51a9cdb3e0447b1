import {
  exchange,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  readText,
} from "../../http/request.ts";
import { isUnprotected } from "../../inputs/address.ts";
import type { Headers } from "../../inputs/agent-request.ts";
import type { AgentInputs } from "../../inputs/checks.ts";
import type { UnreachableAgent } from "../../results/watch.ts";

interface AgentRequest {
  readonly method: HttpMethod;
  /** Below the deployment's URL; starts with `/` and may contain a query. */
  readonly path: string;
  readonly headers?: Headers;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** Total time for the request and its response, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the status alone is enough: then the body is not read. */
  readonly ignoresBody?: (status: number) => boolean;
}

const maxResponseBytes = 10_000_000;

/**
 * Requests of the deployed agent. They carry `agent_headers` and no other credentials, each is sent once and has a total
 * time limit, and no redirect is followed.
 */
export class AgentClient {
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #cancelled: AbortSignal;

  constructor(url: URL, headers: Headers, cancelled: AbortSignal) {
    this.#url = new URL(url);
    this.#url.username = "";
    this.#url.password = "";
    this.#url.hash = "";
    this.#headers = headers;
    this.#cancelled = cancelled;
  }

  /** @throws ConnectionError if no complete response came, and the reason of a cancellation. */
  async send(request: AgentRequest): Promise<HttpResponse> {
    const { method, path, headers, body, timeoutMs, ignoresBody = () => false } = request;
    const httpRequest: HttpRequest = {
      method,
      url: this.#addressOf(path),
      // The body is never decompressed, so that a small response can't become a huge one.
      headers: { accept: "*/*", ...this.#headers, ...headers, "accept-encoding": "identity" },
      body,
    };
    const limits = { timeoutMs, signal: this.#cancelled };
    return await exchange(httpRequest, limits, async (response) =>
      // A body that is not needed may never end.
      ignoresBody(response.status) ? { ...response, text: "" } : readText(response, maxResponseBytes),
    );
  }

  /** The path below the deployment's URL, whose own path is kept. */
  #addressOf(path: string): URL {
    const url = new URL(this.#url);
    const [pathname = ""] = path.split("?", 1);
    url.pathname = url.pathname.replace(/\/+$/, "") + pathname;
    url.search = path.slice(pathname.length);
    return url;
  }
}

/** The client for the agent at the deployment's URL, or why it can't be requested. */
export function connectAgent(
  url: string | undefined,
  { headers, allowHttp }: AgentInputs,
  cancelled: AbortSignal,
): AgentClient | UnreachableAgent {
  if (url === undefined) return { why: "no_url" };
  const parsed = new URL(url);
  if (!allowHttp && isUnprotected(parsed)) return { why: "plain_http" };
  return new AgentClient(parsed, headers, cancelled);
}
