import { Failure, type Result, toResult } from "../errors.ts";
import { type HttpRequest, sendRequest } from "../http/request.ts";
import type { FailureReason } from "../http/request-error.ts";
import { type HttpResponse, isRedirect, isUnauthorized } from "../http/response.ts";
import type { RequestContext } from "../http/retry.ts";
import { isUnprotected, urlBelow } from "../http/url.ts";
import { code, inputName, type Message, type Phrase, phrase, text } from "../text/message.ts";
import type { HeaderValues } from "./request-parts.ts";

interface AgentRequest extends Pick<HttpRequest, "method" | "body">, Partial<Pick<HttpRequest, "hintFor">> {
  /** The path below the deployment's URL; starts with `/` and may contain a query. */
  readonly path: string;
  readonly headers?: HeaderValues;
  /** Total time for the request and its response. */
  readonly timeoutMs: number;
}

/** `send` returns every status, so the only failure with one is that the response is too large. */
const tooLargeHint = text`Request something whose response is smaller.`;

const maxWakeMs = 60_000;

const keyHint = text`Set ${inputName("agent_headers")} to a header with a key that the agent accepts. A key that is set may have expired, or be one for a different agent, region or workspace.`;
const limitHint = text`The agent server limits the number of requests. Try again later.`;
const logHint = text`Check that the agent is running, and read its log.`;

/**
 * Sends requests to a deployed agent, with `agent_headers` and no other credentials. Each is sent once, within a total time
 * limit. Redirects are not followed.
 */
export class AgentClient {
  readonly #base: URL;
  readonly #headers: HeaderValues;
  readonly #context: RequestContext;
  /** The total time of a request that has no other. */
  readonly requestTimeoutMs: number;
  /** The input that holds the address, or `the deployment's URL`. */
  readonly urlName: Phrase;

  constructor(
    url: URL,
    { headers, requestTimeoutMs }: AgentOptions,
    context: RequestContext,
    urlName = phrase`the deployment's URL`,
  ) {
    this.#base = url;
    this.#headers = headers;
    this.requestTimeoutMs = requestTimeoutMs;
    this.#context = context;
    this.urlName = urlName;
  }

  /** Sends a request once. @throws RequestError if no complete response came */
  async send({ path, headers, timeoutMs, ...others }: AgentRequest): Promise<HttpResponse> {
    const request = {
      hintFor: ({ kind }: FailureReason, connectionHint: Message) =>
        kind === "response" ? tooLargeHint : this.reachHint(connectionHint),
      ...others,
      url: urlBelow(this.#base, path),
      // The body is never decompressed, so that a small response can't become a huge one.
      headers: { accept: "*/*", ...this.#headers, ...headers, "accept-encoding": "identity" },
    };
    return await sendRequest(request, { ...this.#context, timeoutMs });
  }

  async trySend(request: AgentRequest): Promise<Result<HttpResponse>> {
    return await toResult(() => this.send(request));
  }

  /** Wakes an agent that sleeps when idle, so that its start takes no time from what follows. The response does not matter. */
  async wake(): Promise<void> {
    await this.trySend({ method: "GET", path: "/ok", timeoutMs: maxWakeMs });
  }

  /** Returns the hint for a request without a response. It ends with `connectionHint`, how to reach the host. */
  reachHint(connectionHint: Message): Message {
    return text`Check that the agent is running, and ${this.urlName}. ${connectionHint}`;
  }

  /** Returns the hint for a response with this status; undefined if it depends on the request. */
  statusHint(status: number): Message | undefined {
    if (isUnauthorized(status)) return keyHint;
    if (isRedirect(status)) return this.urlHint;
    if (status === 429) return limitHint;
    return status >= 500 ? logHint : undefined;
  }

  /** Returns the hint for a redirect, and for a web page in place of a response. */
  get urlHint(): Message {
    return text`This is not the response of an agent server. Check that ${this.urlName} is its base URL. Redirects are not followed.`;
  }
}

export interface AgentOptions {
  /** Headers of every request, by lower-case names. */
  readonly headers: HeaderValues;
  readonly requestTimeoutMs: number;
  /** Whether the deployment's URL may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

/** Makes the client for the agent at the deployment's URL, or the failure that says why it can't be requested. */
export function connectAgent(
  url: string | undefined,
  options: AgentOptions,
  context: RequestContext,
): Result<AgentClient> {
  if (url === undefined) {
    const hint = text`If the deployment has a URL of its own, set ${inputName("custom_url")} in the step that deploys it.`;
    return { error: new Failure(text`The platform does not report the deployment's URL.`, { hint }) };
  }
  const parsed = new URL(url);
  if (!options.allowHttp && isUnprotected(parsed)) {
    const hint = text`Set ${code("allow_http: true")} for a plain http: address of a private network.`;
    return { error: new Failure(text`The deployment's URL is a plain http: address.`, { hint }) };
  }
  return { value: new AgentClient(parsed, options, context) };
}
