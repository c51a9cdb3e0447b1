/** Whether the `Host` of a request is this machine for itself alone: a page may point a name of its own at it. */
export function isLoopbackHost(header: string | undefined): boolean {
  return isLoopback((header ?? "").replace(/:\d+$/, ""));
}

/** Whether a host, as in `--host` or in a URL, is this machine for itself alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
