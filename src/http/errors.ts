import { ActionError } from "../errors.ts";

/** What was asked. Messages name its method and path: never a query (it may hold user data) and never a header. */
export interface RequestName {
  readonly method: string;
  readonly url: URL;
}

/** The request got no whole answer: refused, reset, cut, silent or too large. */
export class ConnectionError extends ActionError {
  override readonly name: string = "ConnectionError";
  readonly hint: string;
  /** False where no connection was made, so that the request surely had no effect. */
  readonly sent: boolean;

  constructor(request: RequestName, what: string, facts: { sent: boolean; hint: string; cause?: unknown }) {
    super(`${request.method} ${request.url.pathname}: ${what}.`, { cause: facts.cause });
    this.sent = facts.sent;
    this.hint = facts.hint;
  }
}

/** The answer holds more bytes than anyone will read: to ask again would bring as many. */
export class OversizedAnswerError extends ConnectionError {
  override readonly name = "OversizedAnswerError";

  /** `limit`: in bytes. */
  constructor(request: RequestName & { readonly urlInput: string }, limit: number) {
    super(request, `the answer is larger than ${limit / 1_000_000} MB`, {
      sent: true,
      hint: `Check that ${request.urlInput} is the address of the API.`,
    });
  }
}

/** The proxy wants another user or password: to ask again would bring the same. No connection was made. */
export class ProxySignInError extends ConnectionError {
  override readonly name = "ProxySignInError";

  /** `variable`: the one that holds the proxy's address. */
  constructor(request: RequestName, variable: string, cause: unknown) {
    super(request, "the proxy refused the connection with 407: it wants another user or password", {
      sent: false,
      hint: `Check the user and password in ${variable}, where signs such as @, : and % have to be percent-encoded.`,
      cause,
    });
  }
}
