import { isNativeError } from "node:util/types";
import { Failure } from "../errors.ts";
import { code, type Message, quote, text } from "../text/message.ts";

/** What messages say of a request: method and path, but no query, which may hold user data, and no header. */
export interface RequestInfo {
  readonly method: string;
  readonly url: URL;
  /** Shown in place of method and path, if the path may be secret. */
  readonly title?: Message;
}

/** A request as messages name it. */
export function requestTitle({ method, url, title }: RequestInfo): Message {
  return title ?? text`${code(`${method} ${url.pathname}`)}`;
}

interface RequestFailure {
  readonly hint: Message;
  readonly status?: number;
  readonly sent?: boolean;
  readonly isTimeout?: boolean;
  readonly isFromApi?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly problems?: readonly Message[];
  readonly cause?: unknown;
}

/** A request that got no complete response, no success, or a success without what is needed to go on. */
export class RequestError extends Failure {
  override readonly name = "RequestError";
  /** Of the response; 0 if none came. A success is one without what is needed. */
  readonly status: number;
  /** False if the request surely never reached the server. */
  readonly sent: boolean;
  readonly isTimeout: boolean;
  /** Whether the API itself refused the request: a 404 whose body is not JSON came from something else. */
  readonly isFromApi: boolean;
  /** The delay that the server asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: Message, failure: RequestFailure) {
    super(message, failure);
    this.status = failure.status ?? 0;
    this.sent = failure.sent ?? true;
    this.isTimeout = failure.isTimeout ?? false;
    this.isFromApi = failure.isFromApi ?? false;
    this.retryAfterMs = failure.retryAfterMs;
  }

  /** The same error with the hint of a caller who knows the inputs. */
  withHint(hintFor: HintFor): RequestError {
    const { problems } = this.ending;
    return new RequestError(this.ending.message, {
      ...this,
      problems,
      hint: hintFor(this),
      cause: this.cause,
    });
  }
}

/** What to do after a failed request: only the owner of an API knows the inputs. */
export type HintFor = (error: RequestError) => Message;

/** The error of a request that ran out of time. `what`: as a part of a sentence. */
export function timeoutError(request: RequestInfo, what: Message): RequestError {
  const message = text`${requestTitle(request)}: ${what}.`;
  return new RequestError(message, { isTimeout: true, hint: reachHint(request.url) });
}

/** undici tells the status of a proxy that refused a tunnel in words alone. */
const refusedTunnel = /^Proxy response \((\d+)\) !== 200/;

/** The error of a request that ended with what was thrown. */
export function connectionError(request: RequestInfo, thrown: unknown): RequestError {
  // For a host with several addresses the error holds one error for each.
  const { message, code: systemCode = "", syscall, errors: [first] = [] } = factsOf(thrown);
  if (first !== undefined) return connectionError(request, first);
  const [, proxyStatus] = refusedTunnel.exec(message) ?? [];
  const isUnsent =
    proxyStatus !== undefined ||
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    systemCode === "UND_ERR_CONNECT_TIMEOUT";
  const what =
    proxyStatus === undefined
      ? text`the connection failed: ${quote(message || systemCode)}`
      : text`the proxy refused the connection with ${code(proxyStatus)}`;
  return new RequestError(text`${requestTitle(request)}: ${what}.`, {
    sent: !isUnsent,
    hint: reachHint(request.url),
    cause: thrown,
  });
}

function reachHint({ host, protocol }: URL): Message {
  const variable = code(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  return text`This runner must be able to reach ${code(host)}. If that needs a proxy, check ${variable} (user and password percent-encoded) and ${code("NO_PROXY")}.`;
}

interface ErrorFacts {
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly errors?: readonly unknown[];
}

function factsOf(thrown: unknown): ErrorFacts {
  if (!isNativeError(thrown)) return { message: String(thrown) };
  return {
    message: thrown.message,
    ...("code" in thrown && { code: String(thrown.code) }),
    ...("syscall" in thrown && { syscall: String(thrown.syscall) }),
    ...("errors" in thrown && Array.isArray(thrown.errors) && { errors: thrown.errors }),
  };
}
