import { Failure, toError } from "../errors.ts";
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

/** Returns the hint for a failed request. `reach`: the general hint if no response came. */
export type HintFor = (failure: FailedRequest, reach: Message) => Message;

export type FailedRequest = Pick<RequestError, "status" | "isTimeout" | "isFromApi">;

type RequestErrorParts = Partial<Omit<RequestError, keyof Failure>> &
  ConstructorParameters<typeof Failure>[1];

/** The failure of a request: no complete response, no success, or a success without needed data. */
export class RequestError extends Failure {
  override readonly name = "RequestError";
  /** The status of the response; undefined if none came. */
  readonly status: number | undefined;
  readonly isTimeout: boolean;
  /** Whether the API itself refused the request: a refusal without JSON came from something else, such as a proxy. */
  readonly isFromApi: boolean;
  /** False if the request surely never reached the server. */
  readonly mayHaveReachedServer: boolean;
  /** The delay that the server asked for. */
  readonly retryAfterMs: number;

  constructor(
    message: Message,
    {
      status,
      isTimeout = false,
      isFromApi = false,
      mayHaveReachedServer = true,
      retryAfterMs = 0,
      ...ending
    }: RequestErrorParts,
  ) {
    super(message, ending);
    this.status = status;
    this.isTimeout = isTimeout;
    this.isFromApi = isFromApi;
    this.mayHaveReachedServer = mayHaveReachedServer;
    this.retryAfterMs = retryAfterMs;
  }
}

export function hasStatus(error: unknown, ...statuses: readonly number[]): error is RequestError {
  return error instanceof RequestError && error.status !== undefined && statuses.includes(error.status);
}

export function requestFailure(
  { url, hintFor }: RequestInfo,
  message: Message,
  failure: Omit<RequestErrorParts, "hint">,
  reach = reachHint(url),
): RequestError {
  const { status, isTimeout = false, isFromApi = false } = failure;
  const hint = hintFor({ status, isTimeout, isFromApi }, reach);
  return new RequestError(message, { ...failure, hint });
}

/** Returns the hint after a timeout that `request_timeout_seconds` sets. */
export function moreTimeHint(reach: Message): Message {
  return text`${reach} To give each request more time, raise ${inputName("request_timeout_seconds")}.`;
}

function reachHint({ host, protocol }: URL): Message {
  const variable = code(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  return text`This runner must be able to reach ${code(host)}. If that needs a proxy, check ${variable} (user and password percent-encoded) and ${code("NO_PROXY")}.`;
}

function certificateHint({ host }: URL): Message {
  return text`Check the host name, and that the certificate of ${code(host)} has not expired. If it is from your own certificate authority, set ${code("NODE_EXTRA_CA_CERTS")} to the file of that one's certificate.`;
}

/** Returns the error of a request whose connection failed. `thrown`: by undici or the system. */
export function connectionFailure(
  request: RequestInfo,
  thrown: unknown,
  mayHaveReachedServer: boolean,
): RequestError {
  const error = toError(thrown);
  // A host may have several addresses, each of which fails with an error of its own.
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors.map(toError) : [error];
  const words = [...new Set(errors.map(({ message }) => message))].join(", ");
  const message = text`${requestTitle(request)}: the connection failed: ${quoteSentence(words)}.`;
  const reach = /certificate/i.test(words) ? certificateHint(request.url) : reachHint(request.url);
  return requestFailure(request, message, { mayHaveReachedServer, cause: thrown }, reach);
}

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (!(error instanceof RequestError) || !error.mayHaveReachedServer) return false;
  const { status } = error;
  const isRefused = status !== undefined && status >= 400 && status < 500;
  return !isRefused && !isUnsupported(error);
}

/** Whether the API itself says that it has no such endpoint (404, 405 or 501). */
export function isUnsupported(error: unknown): error is RequestError {
  return hasStatus(error, 404, 405, 501) && error.isFromApi;
}

export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404) && error.isFromApi;
}

/** Whether the API itself may mean that nothing has this id: it refuses one that does not look like its own as invalid. */
export function mayBeUnknownId(error: unknown): error is RequestError {
  return hasStatus(error, 400, 404, 422) && error.isFromApi;
}

/** Whether polling may continue. A refused key or workspace (401, 403) stays refused. */
export function mayKeepPolling(error: Failure): boolean {
  return error instanceof RequestError && !hasStatus(error, 401, 403);
}
