/** The address of a path, maybe with a query, below a base URL, whose own path (such as `/api-host`) is kept. */
export function urlBelow(base: URL, path: string): URL {
  return new URL(base.href.replace(/\/+$/, "") + path);
}
