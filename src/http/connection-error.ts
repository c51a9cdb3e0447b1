import { isNativeError } from "node:util/types";
import { ActionError } from "../errors.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { ConnectionError, ProxySignInError, type RequestName } from "./errors.ts";
import { isProxied, proxyRefusal, proxyVariable } from "./proxy.ts";
import { untilAborted } from "./until-aborted.ts";

/** What is told of a request whose connection fails. */
export interface ConnectionSubject extends RequestName {
  /** The input that holds the host, named where a connection fails. */
  readonly urlInput: string;
  /** The input that bounds the request's time, named where it ran out. */
  readonly timeoutInput: string;
}

/** The time that a request has. */
export interface RequestTime {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  /** What didn't come then, and within which time. */
  readonly tooLate: string;
}

/**
 * Codes of failures that come before the request is written: no address, no connection, no trusted certificate.
 * After these it surely had no effect (contract, 3.1). What else TLS reports (EPROTO, ERR_SSL_…) isn't among them: a
 * connection that breaks after the request looks just like that.
 */
const neverSent =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_CERT_.*)$/;

/**
 * Waits for a step of a request, but no longer than its time, nor beyond a cancel.
 *
 * @throws ConnectionError where the step failed, the reason of `cancelled` where that is aborted. What is told to the
 * user already stays as it is.
 */
export async function withConnectionErrors<T>(
  request: ConnectionSubject,
  step: Promise<T>,
  time: RequestTime,
  cancelled: AbortSignal,
): Promise<T> {
  try {
    return await untilAborted(step, AbortSignal.any([time.signal, cancelled]));
  } catch (error) {
    cancelled.throwIfAborted();
    if (error instanceof ActionError) throw error;
    throw time.signal.aborted ? timedOut(request, time.tooLate, error) : connectionError(request, error);
  }
}

function timedOut(request: ConnectionSubject, what: string, cause: unknown): ConnectionError {
  return new ConnectionError(request, what, {
    sent: true,
    hint: `Check that ${request.urlInput} can be reached from this runner; ${request.timeoutInput} gives one request more time.`,
    cause,
  });
}

/** What is told of a failed connection; its kind decides whether the request can have had an effect. */
export function connectionError(request: ConnectionSubject, thrown: unknown): ConnectionError {
  const refusal = proxyRefusal(thrown);
  if (refusal !== undefined) return refusedByProxy(request, refusal, thrown);
  const { code, syscall } = factsOf(thrown);
  // A host may become unreachable with the request on its way.
  const wasConnected = syscall === "read" || syscall === "write";
  const variable = proxyVariable(request.url.protocol);
  const proxy = isProxied(request.url)
    ? `through the proxy in ${variable}`
    : `a proxy is taken from ${variable} and NO_PROXY`;
  return new ConnectionError(request, `the connection failed: ${wordsFor(thrown) || code}`, {
    sent: wasConnected || !neverSent.test(code),
    hint: `Check ${request.urlInput}, and that this runner can reach its host (${proxy}).`,
    cause: thrown,
  });
}

/** A tunnel that was refused leads nowhere, so the request surely had no effect. */
function refusedByProxy(request: ConnectionSubject, status: number, cause: unknown): ConnectionError {
  const variable = proxyVariable(request.url.protocol);
  if (status === 407) return new ProxySignInError(request, variable, cause);
  return new ConnectionError(request, `the proxy refused the connection with ${status}`, {
    sent: false,
    hint: `Check ${request.urlInput}, and that the proxy in ${variable} lets this runner reach its host; NO_PROXY names hosts that are asked directly.`,
    cause,
  });
}

function wordsFor(thrown: unknown): string {
  const words = isNativeError(thrown) ? thrown.message : String(thrown);
  // Node's whole message where a connection closes before the answer is whole.
  return words === "aborted" ? "it was closed before the answer was whole" : sanitizeExcerpt(words, 300);
}

/** What Node tells of an error, empty where it doesn't. */
function factsOf(thrown: unknown): { readonly code: string; readonly syscall: string } {
  if (!isNativeError(thrown)) return { code: "", syscall: "" };
  // Where a host has several addresses, the error holds one of each.
  if ("errors" in thrown && Array.isArray(thrown.errors)) return factsOf(thrown.errors[0]);
  return {
    code: "code" in thrown ? String(thrown.code) : "",
    syscall: "syscall" in thrown ? String(thrown.syscall) : "",
  };
}
