import * as v from "valibot";
import { Failure } from "../errors.ts";
import { code, inputName, type Message, type Phrase, phrase, quoteSentence, text } from "../text/message.ts";

/** A request. Messages show its method and path, but neither its headers nor its query, which may hold user data. */
export interface RequestInfo {
  readonly method: string;
  readonly url: URL;
  /** Shown in place of method and path, if the path may be secret. */
  readonly title?: Phrase;
  /** Values of variables that are no secrets, so that errors may quote them. */
  readonly publicValues?: readonly string[] | undefined;
  /** From the caller, which knows the inputs to check. */
  readonly hintFor?: HintFor | undefined;
}

export function requestTitle({ method, url, title }: RequestInfo): Phrase {
  return title ?? code(`${method} ${url.pathname}`);
}

/** Returns the hint for a failed request. `reach`: the general hint if no response came. */
export type HintFor = (failure: FailedRequest, reach: Message) => Message;

export type FailedRequest = Pick<RequestError, "status" | "isTimeout" | "isFromApi">;

type RequestErrorParts = Partial<Omit<RequestError, keyof Failure>> &
  ConstructorParameters<typeof Failure>[1];

/** The failure of a request: no complete response, no success, or a success without needed data. */
export class RequestError extends Failure {
  override readonly name = "RequestError";
  /** The status of the response; 0 if none came. */
  readonly status: number;
  readonly isTimeout: boolean;
  /** Whether the API itself refused the request: a refusal without JSON came from something else, such as a proxy. */
  readonly isFromApi: boolean;
  /** False if the request surely never reached the server. */
  readonly mayHaveReachedServer: boolean;
  /** Whether it would fail in the same way again, such as a certificate that is not trusted. */
  readonly isPermanent: boolean;
  /** The delay that the server asked for. */
  readonly retryAfterMs: number;

  constructor(
    message: Message,
    {
      status = 0,
      isTimeout = false,
      isFromApi = false,
      mayHaveReachedServer = true,
      isPermanent = false,
      retryAfterMs = 0,
      ...ending
    }: RequestErrorParts,
  ) {
    super(message, ending);
    this.status = status;
    this.isTimeout = isTimeout;
    this.isFromApi = isFromApi;
    this.mayHaveReachedServer = mayHaveReachedServer;
    this.isPermanent = isPermanent;
    this.retryAfterMs = retryAfterMs;
  }
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is RequestError {
  return error instanceof RequestError && statuses.includes(error.status);
}

/** Whether the API itself returned 501, so that the request had no effect. */
export function isNotImplemented(error: RequestError): boolean {
  return error.status === 501 && error.isFromApi;
}

/** Returns the error of a request with its hint. `reach`: the general hint if no response came. */
export function requestFailure(
  { url, hintFor = usualHint }: RequestInfo,
  message: Message,
  failure: Omit<RequestErrorParts, "hint">,
  reach = reachHint(url),
): RequestError {
  const { status = 0, isTimeout = false, isFromApi = false } = failure;
  const hint = hintFor({ status, isTimeout, isFromApi }, reach);
  return new RequestError(message, { ...failure, hint });
}

/** Returns the hint after a timeout that `request_timeout_seconds` sets. */
export function moreTimeHint(reach: Message): Message {
  return text`${reach} To give each request more time, raise ${inputName("request_timeout_seconds")}.`;
}

const usualHint: HintFor = (_failure, reach) => reach;

function reachHint({ host, protocol }: URL): Message {
  const variable = code(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  return text`This runner must be able to reach ${code(host)}. If that needs a proxy, check ${variable} (user and password percent-encoded) and ${code("NO_PROXY")}.`;
}

function certificateHint({ host }: URL): Message {
  return text`Check the host name, and that the certificate of ${code(host)} has not expired. If it is from your own certificate authority, set ${code("NODE_EXTRA_CA_CERTS")} to the file of that one's certificate.`;
}

function tlsHint({ host }: URL): Message {
  return text`Check the scheme and the port of ${code(host)}, and of ${code("HTTPS_PROXY")} if it is set.`;
}

/** An error of a connection. `errors`: one for each address of a host that has several. */
const ThrownSchema = v.object({
  message: v.string(),
  code: v.fallback(v.string(), ""),
  syscall: v.fallback(v.string(), ""),
  errors: v.optional(v.array(v.unknown()), []),
});

/** Node's error codes for a certificate that it does not accept. The connection ends before the request is sent. */
const refusedCertificate = /^(?:CERT|UNABLE_TO|ERR_TLS)_|_CERT(?:_|$)/;

/** Node's error code for a server that does not speak TLS. */
const withoutTls = "ERR_SSL_WRONG_VERSION_NUMBER";

/** Matches the codes of a TLS handshake that failed. The server reads no request before it. */
const refusedHandshake = /^ERR_SSL_.*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNRECOGNIZED_NAME)$/;
const closedInHandshake = "disconnected before secure TLS connection was established";

/** Matches the codes of a request that was not even sent, for example because the URL of a proxy is wrong. */
const refusedArgument = /^(?:UND_ERR_INVALID_ARG|ERR_INVALID_URL)$/;

/** undici reports the status of a proxy that refused a tunnel only in the message of its error. */
const refusedTunnel = /^Proxy response \((\d+)\) !== 200/;

/** Returns the error of a request whose connection failed. `thrown`: by undici or the system. */
export function connectionFailure(request: RequestInfo, thrown: unknown): RequestError {
  const { errors, ...single } = v.parse(ThrownSchema, thrown);
  const all = errors.length === 0 ? [single] : errors.map((error) => v.parse(ThrownSchema, error));
  const message = [...new Set(all.map((error) => error.message))].join(", ");
  const { code: systemCode, syscall } = all[0] ?? single;
  const isRefused = refusedCertificate.test(systemCode);
  const proxyStatus = refusedTunnel.exec(message)?.[1];
  const isPermanent =
    isRefused || systemCode === withoutTls || proxyStatus === "407" || refusedArgument.test(systemCode);
  const isUnsent =
    isPermanent ||
    refusedHandshake.test(systemCode) ||
    message.includes(closedInHandshake) ||
    proxyStatus !== undefined ||
    ["connect", "getaddrinfo"].includes(syscall) ||
    systemCode === "UND_ERR_CONNECT_TIMEOUT";
  const refusal =
    proxyStatus === undefined
      ? undefined
      : phrase`the proxy refused the connection with ${code(proxyStatus)}`;
  const noTls = systemCode === withoutTls ? phrase`the server does not speak TLS on this port` : undefined;
  const problem = refusal ?? noTls ?? phrase`the connection failed: ${quoteSentence(message)}`;
  const failure = { mayHaveReachedServer: !isUnsent, isPermanent, cause: errors[0] ?? thrown };
  const reach = isRefused ? certificateHint(request.url) : noTls && tlsHint(request.url);
  return requestFailure(request, text`${requestTitle(request)}: ${problem}.`, failure, reach);
}

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return (
    error.mayHaveReachedServer && (error.status < 400 || error.status >= 500) && !isNotImplemented(error)
  );
}

/** Whether the API itself says that it has no such endpoint (404, 405 or 501). */
export function isUnsupported(error: unknown): error is RequestError {
  return hasStatus(error, 404, 405, 501) && error.isFromApi;
}

/** Whether the API itself says that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404) && error.isFromApi;
}

/** Whether the server refuses a request with 409: for a create, the name is usually taken. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409);
}

/** Whether the API itself may mean that nothing has this id: it refuses one that does not look like its own as invalid. */
export function mayBeUnknownId(error: unknown): error is RequestError {
  return hasStatus(error, 400, 404, 422) && error.isFromApi;
}

/** Whether polling may continue. A refused key or workspace (401, 403) stays refused. */
export function mayKeepPolling(error: Failure): boolean {
  return error instanceof RequestError && !hasStatus(error, 401, 403);
}
