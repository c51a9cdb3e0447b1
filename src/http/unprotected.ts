import { isIPv4 } from "node:net";

/** Whether others on the network can read what is sent to this URL. */
export function isUnprotected(address: URL): boolean {
  return address.protocol === "http:" && !isLoopback(address.hostname);
}

/** `localhost` and the loopback addresses: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
