import { isNativeError } from "node:util/types";
import { ActionError } from "../errors.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { isProxied, proxyRefusal, proxyVariable } from "./proxy.ts";

/** What messages say of a request: method and path, but no query, which may hold user data, and no header. */
export interface RequestInfo {
  readonly method: string;
  readonly url: URL;
  /** Shown in place of method and path, if the path may be secret. */
  readonly title?: string;
  /** The input that holds the host, named if a connection fails. */
  readonly urlInput: string;
  /** The input that limits the request's time, named if it runs out. */
  readonly timeoutInput: string;
}

/** A request as messages name it. */
export function requestTitle({ method, url, title = `${method} ${url.pathname}` }: RequestInfo): string {
  return title;
}

interface ConnectionFailure {
  /** False if no connection was made, so that the request surely had no effect. */
  readonly sent: boolean;
  /** False if another attempt would fail alike. */
  readonly retryable: boolean;
  readonly hint: string;
  readonly cause?: unknown;
}

/** The request got no complete response: refused, reset, truncated, silent or too large. */
export class ConnectionError extends ActionError {
  override readonly name = "ConnectionError";
  readonly sent: boolean;
  readonly retryable: boolean;

  constructor(request: RequestInfo, what: string, { sent, retryable, hint, cause }: ConnectionFailure) {
    super(`${requestTitle(request)}: ${what}.`, { code: "connection", hint, cause });
    this.sent = sent;
    this.retryable = retryable;
  }
}

/** The error of a request whose time ran out. `what`: which response did not come within which time. */
export function timeoutError(request: RequestInfo, what: string, cause: unknown): ConnectionError {
  return new ConnectionError(request, what, {
    sent: true,
    retryable: true,
    hint: `Check that this runner can reach ${request.urlInput}. ${request.timeoutInput} gives one request more time.`,
    cause,
  });
}

/**
 * Codes of failures before the request is written: no address, no connection, no trusted certificate. After these the
 * request surely had no effect. Other TLS errors (EPROTO, ERR_SSL_…) are left out: a connection that breaks after the
 * request looks the same.
 */
const notSentCodes =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_CERT_.*)$/;

/** The error of a request whose connection failed. */
export function connectionError(request: RequestInfo, thrown: unknown): ConnectionError {
  const variable = proxyVariable(request.url.protocol);
  const refusal = proxyRefusal(thrown);
  if (refusal !== undefined) return refusedByProxy(request, refusal, variable, thrown);
  const { code, syscall } = systemErrorOf(thrown);
  // A host may become unreachable after the request was written.
  const wasConnected = syscall === "read" || syscall === "write";
  const proxy = isProxied(request.url)
    ? `through the proxy in ${variable}`
    : `if it needs a proxy, set ${variable}`;
  return new ConnectionError(request, `the connection failed: ${messageOf(thrown) || code}`, {
    sent: wasConnected || !notSentCodes.test(code),
    retryable: true,
    hint: `Check ${request.urlInput}, and that this runner can reach its host (${proxy}).`,
    cause: thrown,
  });
}

/** A refused tunnel leads nowhere, so the request surely had no effect. */
function refusedByProxy(
  request: RequestInfo,
  status: number,
  variable: string,
  cause: unknown,
): ConnectionError {
  const isLogin = status === 407;
  const why = isLogin ? ": it requires a valid user and password" : "";
  return new ConnectionError(request, `the proxy refused the connection with ${status}${why}`, {
    sent: false,
    retryable: !isLogin,
    hint: isLogin
      ? `Check the user and password in ${variable}. Characters such as @, : and % must be percent-encoded.`
      : `Check ${request.urlInput}, and that the proxy in ${variable} lets this runner reach its host. NO_PROXY names hosts that are reached directly.`,
    cause,
  });
}

function messageOf(thrown: unknown): string {
  const message = isNativeError(thrown) ? thrown.message : String(thrown);
  // This is Node's whole message if a connection closes before the response is complete.
  return message === "aborted"
    ? "it was closed before the response was complete"
    : sanitizeExcerpt(message, 300);
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
