import { Failure, type FailureParts, toError } from "../errors.ts";
import { code, inputName, type Message, type Phrase, quoteSentence, text } from "../text/message.ts";

/** A request. Messages show its method and path, but not its query, which may hold user data. */
export interface RequestInfo {
  readonly method: string;
  readonly url: URL;
  /** Shown in place of method and path, if the path may be secret. */
  readonly title?: Phrase;
  /** Values of variables that are no secrets, so that errors may quote them. */
  readonly publicValues?: readonly string[] | undefined;
  /** From the caller, which knows the inputs to check. */
  readonly hintFor: HintFor;
}

export function requestTitle({ method, url, title }: RequestInfo): Phrase {
  return title ?? code(`${method} ${url.pathname}`);
}

/** Why a request failed. */
export type FailureReason = NoResponse | BadResponse;

/** No complete response came. */
interface NoResponse {
  /** `proxy`: a proxy does not accept the user and password, or needs them (407). */
  readonly kind: "connection" | "proxy" | "timeout";
  /** Whether the request may have reached the server. */
  readonly wasSent: boolean;
}

/** The response is no success, or a success without needed data. */
export interface BadResponse {
  readonly kind: "response";
  readonly status: number;
  /** Whether the API itself surely refused the request: without JSON, something else may have, such as a proxy. */
  readonly isFromApi: boolean;
  /** The delay that the server asked for; 0 if it asked for none. */
  readonly retryAfterMs: number;
}

/** Returns the hint for a failed request. `connectionHint`: the general one if no response came. */
export type HintFor = (reason: FailureReason, connectionHint: Message) => Message;

/** A request that failed. */
export class RequestError extends Failure {
  override readonly name = "RequestError";
  readonly reason: FailureReason;

  constructor(message: Message, reason: FailureReason, parts: FailureParts) {
    super(message, parts);
    this.reason = reason;
  }

  /** The status of the response; undefined if no complete one came. */
  get status(): number | undefined {
    return this.reason.kind === "response" ? this.reason.status : undefined;
  }
}

/** Whether a request failed for one of these reasons. */
export function failedBy(error: unknown, ...kinds: readonly FailureReason["kind"][]): boolean {
  return error instanceof RequestError && kinds.includes(error.reason.kind);
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is RequestError {
  return error instanceof RequestError && error.status !== undefined && statuses.includes(error.status);
}

/** Returns the error of a request with its owner's hint. `connectionHint`: by default, how to reach the host. */
export function requestFailure(
  { url, hintFor }: RequestInfo,
  message: Message,
  reason: FailureReason,
  {
    connectionHint = reachHint(url),
    ...parts
  }: Omit<FailureParts, "hint"> & { readonly connectionHint?: Message } = {},
): RequestError {
  return new RequestError(message, reason, { ...parts, hint: hintFor(reason, connectionHint) });
}

/** Returns the hint after a timeout that `request_timeout_seconds` sets. */
export function moreTimeHint(connectionHint: Message): Message {
  return text`${connectionHint} To give each request more time, raise ${inputName("request_timeout_seconds")}.`;
}

function reachHint({ host, protocol }: URL): Message {
  const variable = code(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  return text`This runner must be able to reach ${code(host)}. If that needs a proxy, check ${variable} (user and password percent-encoded) and ${code("NO_PROXY")}.`;
}

function certificateHint({ host }: URL): Message {
  return text`Check the host name, and that the certificate of ${code(host)} has not expired. If it is from your own certificate authority, set ${code("NODE_EXTRA_CA_CERTS")} to the file of that one's certificate.`;
}

/** Returns the error of a request whose connection failed. `thrown`: by undici or the system. */
export function connectionFailure(request: RequestInfo, thrown: unknown, wasSent: boolean): RequestError {
  const error = toError(thrown);
  // A host may have several addresses, each of which fails with an error of its own.
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors.map(toError) : [error];
  const words = [...new Set(errors.map(({ message }) => message))].join(", ");
  const message = text`${requestTitle(request)}: the connection failed: ${quoteSentence(words)}.`;
  const connectionHint = /certificate/i.test(words) ? certificateHint(request.url) : reachHint(request.url);
  // Only the words of undici show it: https://github.com/nodejs/undici/blob/v6.x/lib/dispatcher/proxy-agent.js
  const kind = /^Proxy response \(407\)/.test(words) ? "proxy" : "connection";
  return requestFailure(request, message, { kind, wasSent }, { connectionHint, cause: thrown });
}

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (!(error instanceof RequestError) || wasNotSent(error)) return false;
  const { status = 0 } = error;
  const isRefused = status >= 400 && status < 500;
  return !isRefused && !isUnsupported(error);
}

export function wasNotSent(error: unknown): boolean {
  return error instanceof RequestError && error.reason.kind !== "response" && !error.reason.wasSent;
}

function isFromApi({ reason }: RequestError): boolean {
  return reason.kind === "response" && reason.isFromApi;
}

/** Whether the API itself says that it has no such endpoint (404, 405 or 501). */
export function isUnsupported(error: unknown): error is RequestError {
  return hasStatus(error, 404, 405, 501) && isFromApi(error);
}

export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404) && isFromApi(error);
}

/** Whether the API itself may mean that nothing has this id: it refuses one that does not look like its own as invalid. */
export function mayBeUnknownId(error: unknown): error is RequestError {
  return hasStatus(error, 400, 404, 422) && isFromApi(error);
}

/** Whether polling may continue. A refused key or workspace (401, 403) stays refused. */
export function mayKeepPolling(error: Failure): boolean {
  return error instanceof RequestError && !hasStatus(error, 401, 403);
}
