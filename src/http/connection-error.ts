import { isNativeError } from "node:util/types";
import { Failure } from "../errors.ts";
import { code, type Message, quote, text } from "../text/message.ts";
import { isProxied, proxyRefusal, proxyVariable } from "./proxy.ts";

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
  /** False if no connection was made, so that the request surely had no effect. */
  readonly sent: boolean;
  /** By default one that names the host and the proxy. */
  readonly hint?: Message;
  readonly cause?: unknown;
}

const retryableKinds: ReadonlySet<ConnectionErrorKind> = new Set(["timeout", "connection", "proxy"]);

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
    super(text`${requestTitle(request)}: ${what}.`, {
      hint: hint ?? hintFor(request.url, kind),
      cause,
    });
    this.kind = kind;
    this.sent = sent;
    this.retryable = retryableKinds.has(kind);
    this.#request = request;
    this.#what = what;
  }

  /** The same error with the hint of a caller who knows which input holds the address. */
  withHint(hint: Message): ConnectionError {
    const { kind, sent, cause } = this;
    return new ConnectionError(this.#request, this.#what, { kind, sent, hint, cause });
  }
}

function hintFor(url: URL, kind: ConnectionErrorKind): Message {
  const host = code(url.host);
  const variable = code(proxyVariable(url.protocol));
  switch (kind) {
    case "proxy_login":
      return text`Check the user and password in ${variable}. Characters such as @, : and % must be percent-encoded.`;
    case "too_large":
    case "invalid_response":
      return text`Check that ${host} is the right address.`;
    default:
      return isProxied(url)
        ? text`The proxy in ${variable} must let this runner reach ${host}. To reach it directly, add it to ${code("NO_PROXY")}.`
        : text`This runner must be able to reach ${host}. If that needs a proxy, set ${variable}.`;
  }
}

/**
 * Codes of failures before the request is written: no address, no connection, no trusted certificate. After these the
 * request surely had no effect. Other TLS errors (EPROTO, ERR_SSL_…) are left out: a connection that breaks after the
 * request looks the same.
 */
const notSentCodes =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_CERT_.*)$/;

const unknownHostCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

export function connectionError(request: RequestInfo, thrown: unknown): ConnectionError {
  const refusal = proxyRefusal(thrown);
  if (refusal !== undefined) return refusedByProxy(request, refusal, thrown);
  const { code, syscall } = systemErrorOf(thrown);
  const what = unknownHostCodes.has(code) ? text`the host name was not found` : text`the connection failed`;
  // A host may become unreachable after the request was written.
  const wasConnected = syscall === "read" || syscall === "write";
  return new ConnectionError(request, text`${what}: ${reasonOf(thrown, code)}`, {
    kind: "connection",
    sent: wasConnected || !notSentCodes.test(code),
    cause: thrown,
  });
}

/** The tunnel was refused, so the request was never sent. */
function refusedByProxy(request: RequestInfo, status: number, cause: unknown): ConnectionError {
  const isLogin = status === 407;
  const why = isLogin ? text`: it requires a valid user and password` : undefined;
  const kind = isLogin ? "proxy_login" : "proxy";
  const what = text`the proxy refused the connection with ${status}${why}`;
  return new ConnectionError(request, what, { kind, sent: false, cause });
}

function reasonOf(thrown: unknown, systemCode: string): Message {
  const reason = isNativeError(thrown) ? thrown.message : String(thrown);
  // This is Node's whole message if a connection closes before the response is complete.
  if (reason === "aborted") return text`it was closed before the response was complete`;
  return text`${quote(reason || systemCode)}`;
}

function systemErrorOf(thrown: unknown): { readonly code: string; readonly syscall: string } {
  if (!isNativeError(thrown)) return { code: "", syscall: "" };
  // For a host with several addresses the error holds one error for each.
  if ("errors" in thrown && Array.isArray(thrown.errors)) return systemErrorOf(thrown.errors[0]);
  return {
    code: "code" in thrown ? String(thrown.code) : "",
    syscall: "syscall" in thrown ? String(thrown.syscall) : "",
  };
}
