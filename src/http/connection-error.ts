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

/** `invalid_response`: one that can't have come from the API. */
type ConnectionErrorKind =
  | "timeout"
  | "connection"
  | "proxy"
  | "proxy_login"
  | "too_large"
  | "invalid_response";

interface ConnectionFailure {
  readonly kind: ConnectionErrorKind;
  /** False if the request surely had no effect. */
  readonly sent: boolean;
  /** By default one that names the host. */
  readonly hint?: Message;
  readonly cause?: unknown;
}

/** The request got no complete response: refused, reset, truncated, silent or too large. */
export class ConnectionError extends Failure {
  override readonly name = "ConnectionError";
  readonly kind: ConnectionErrorKind;
  readonly sent: boolean;
  /** False if another attempt would fail alike. */
  readonly retryable: boolean;
  readonly #request: RequestInfo;
  readonly #what: Message;

  /** `what`: what happened, as a part of a sentence. */
  constructor(request: RequestInfo, what: Message, { kind, sent, hint, cause }: ConnectionFailure) {
    super(text`${requestTitle(request)}: ${what}.`, { hint: hint ?? hintFor(request.url, kind), cause });
    this.kind = kind;
    this.sent = sent;
    this.retryable = kind === "timeout" || kind === "connection" || kind === "proxy";
    this.#request = request;
    this.#what = what;
  }

  /** The same error with the hint of a caller who knows which input holds the address. */
  withHint(hint: Message): ConnectionError {
    const { kind, sent, cause } = this;
    return new ConnectionError(this.#request, this.#what, { kind, sent, hint, cause });
  }
}

function hintFor({ host, protocol }: URL, kind: ConnectionErrorKind): Message {
  const variable = code(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  switch (kind) {
    case "proxy_login":
      return text`Check the user and password in ${variable}. Characters such as @, : and % must be percent-encoded.`;
    case "proxy":
      return text`The proxy in ${variable} must let this runner reach ${code(host)}. To reach it directly, add it to ${code("NO_PROXY")}.`;
    case "too_large":
    case "invalid_response":
      return text`Check that ${code(host)} is the right address.`;
    default:
      return text`This runner must be able to reach ${code(host)}. If that needs a proxy, check ${variable} and ${code("NO_PROXY")}.`;
  }
}

/** undici tells the status of a proxy that refused a tunnel in words alone. */
const refusedTunnel = /^Proxy response \((\d+)\) !== 200/;

/** The error of a request that ended with what was thrown. */
export function connectionError(request: RequestInfo, thrown: unknown): ConnectionError {
  // For a host with several addresses the error holds one error for each.
  const { message, code: systemCode = "", syscall, errors: [first] = [] } = factsOf(thrown);
  if (first !== undefined) return connectionError(request, first);
  const [, status] = refusedTunnel.exec(message) ?? [];
  if (status !== undefined) return refusedByProxy(request, status, thrown);
  const wasConnecting =
    syscall === "connect" || syscall === "getaddrinfo" || systemCode === "UND_ERR_CONNECT_TIMEOUT";
  return new ConnectionError(request, text`the connection failed: ${quote(message || systemCode)}`, {
    kind: "connection",
    sent: !wasConnecting,
    cause: thrown,
  });
}

/** The tunnel was refused, so the request was never sent. */
function refusedByProxy(request: RequestInfo, status: string, cause: unknown): ConnectionError {
  const isLogin = status === "407";
  const why = isLogin ? text`: it requires a valid user and password` : undefined;
  const what = text`the proxy refused the connection with ${code(status)}${why}`;
  return new ConnectionError(request, what, { kind: isLogin ? "proxy_login" : "proxy", sent: false, cause });
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
