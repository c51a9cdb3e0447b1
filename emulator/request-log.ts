/** What was asked of the emulator, for tests to look at. */

export interface LoggedRequest {
  readonly method: string;
  /** As it was asked for, `/api-host` included, without the query. */
  readonly path: string;
  /** Every value of every parameter, in order. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Names in lower case; credentials are replaced by `<redacted>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else text; undefined without a body, or while it is unread. */
  body: unknown;
  /** Of the answer; undefined while there is none, and for ever when the connection was left hanging or reset. */
  status: number | undefined;
}

const CREDENTIALS = new Set(["x-api-key", "authorization"]);

/** A log entry for a request whose body is still unread. */
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

/** A body as the log shows it. */
export function loggedBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
