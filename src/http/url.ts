import { isIPv4 } from "node:net";

/** Returns the address of a path, maybe with a query, below a base URL. The base's own path, such as `/api-host`, is kept. */
export function urlBelow(base: URL, path: string): URL {
  return new URL(base.href.replace(/\/+$/, "") + path);
}

/**
 * The template tag for paths of an API. Each value is encoded as one segment of the path or one value of the query. Encoding
 * does not change `.` and `..`, so callers must not pass them.
 */
export function apiPath({ raw }: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw }, ...values.map((value) => encodeURIComponent(String(value).toWellFormed())));
}

/** Whether others on the network can read the requests to this URL. */
export function isUnprotected({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isLoopback(hostname);
}

/** `localhost` and the loopback addresses: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
