import { Failure, type Result, toResult } from "../errors.ts";
import { type HttpMethod, type HttpRequest, sendRequest } from "../http/request.ts";
import type { HintFor } from "../http/request-error.ts";
import type { HttpResponse } from "../http/response.ts";
import { isUnprotected } from "../http/unprotected.ts";
import { code, input, text } from "../text/message.ts";
import type { Headers } from "./request-parts.ts";

interface AgentRequest {
  readonly method: HttpMethod;
  /** Below the deployment's URL; starts with `/` and may contain a query. */
  readonly path: string;
  readonly headers?: Headers;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: unknown;
  /** Total time for the request and its response, in milliseconds. */
  readonly timeoutMs: number;
  readonly hintFor?: HintFor;
}

/**
 * Requests of the deployed agent. They carry `agent_headers` and no other credentials, each is sent once and has a total
 * time limit, and no redirect is followed.
 */
export class AgentClient {
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #cancelled: AbortSignal;

  constructor(url: URL, headers: Headers, cancelled: AbortSignal) {
    this.#url = url;
    this.#headers = headers;
    this.#cancelled = cancelled;
  }

  /** @throws RequestError if no complete response came, and the reason of a cancellation. */
  async send(request: AgentRequest): Promise<HttpResponse> {
    const { method, path, headers, body, timeoutMs, hintFor } = request;
    const httpRequest: HttpRequest = {
      method,
      url: this.#addressOf(path),
      // The body is never decompressed, so that a small response can't become a huge one.
      headers: { accept: "*/*", ...this.#headers, ...headers, "accept-encoding": "identity" },
      body,
      hintFor,
    };
    return await sendRequest(httpRequest, { timeoutMs, signal: this.#cancelled });
  }

  /** The same, with what went wrong as a result. @throws the reason of a cancellation */
  async request(request: AgentRequest): Promise<Result<HttpResponse>> {
    return await toResult(() => this.send(request), this.#cancelled);
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

const maxWakeMs = 60_000;

/**
 * Wakes a deployment that sleeps, so that its start does not count as time of a check. The response does not matter.
 *
 * @throws the reason of a cancellation
 */
export async function wakeAgent(agent: AgentClient): Promise<void> {
  await agent.request({ method: "GET", path: "/ok", timeoutMs: maxWakeMs });
}

/** How agents are requested. */
export interface AgentOptions {
  /** Sent with every request, by lower-case names. */
  readonly headers: Headers;
  /** Whether the URL may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

/** An agent, or why it can't be requested. */
export type Agent = Result<AgentClient>;

/** The agent at the deployment's URL. */
export function connectAgent(
  url: string | undefined,
  { headers, allowHttp }: AgentOptions,
  cancelled: AbortSignal,
): Agent {
  if (url === undefined) {
    const hint = text`Set ${input("custom_url")} if the deployment has a URL of its own.`;
    return { error: new Failure(text`The platform does not report the deployment's URL.`, { hint }) };
  }
  const parsed = new URL(url);
  if (!allowHttp && isUnprotected(parsed)) {
    const hint = text`Set ${code("allow_http: true")} for a plain http: address of a private network.`;
    return { error: new Failure(text`The deployment's URL is a plain http: address.`, { hint }) };
  }
  return { value: new AgentClient(parsed, headers, cancelled) };
}
