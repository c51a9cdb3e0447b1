/** The requests that reached a server, for tests and for `--verbose`. */

export interface LoggedRequest {
  readonly method: string;
  /** As in the request, with `/api-host`, without the query. */
  readonly path: string;
  /** Every value of every parameter, in order. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Names in lower case; credentials are replaced by `<redacted>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, else text; undefined without a body, or before it is read. */
  body: unknown;
  /** Of the response; stays undefined if the connection hangs or is reset. */
  status: number | undefined;
}

const CREDENTIALS = new Set(["x-api-key", "authorization"]);

/** The entry of a request whose body has not been read yet. */
export function logEntry(request: Request): LoggedRequest {
  const { pathname, searchParams } = new URL(request.url);
  const query = new Map([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
  const headers = [...request.headers].map(([name, value]) => [
    name,
    CREDENTIALS.has(name) ? "<redacted>" : value,
  ]);
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers),
    body: undefined,
    status: undefined,
  };
}

/** A body as the log shows it: parsed JSON, else the text, undefined if it is empty. */
export function loggedBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
