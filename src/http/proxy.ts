import { isNativeError } from "node:util/types";
import { checkBypass, getProxyUrl } from "@actions/http-client/lib/proxy";
import { code, type Message, text } from "../text/message.ts";

/** The variable that sets the proxy for such URLs: the one that is set, else the usual one. */
export function proxyVariable(scheme: string): string {
  const usual = scheme === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [usual.toLowerCase(), usual].find((name) => process.env[name]) ?? usual;
}

/** Whether requests to this URL go through a proxy. */
export function isProxied(url: URL): boolean {
  try {
    return Boolean(getProxyUrl(url)?.hostname);
  } catch {
    // The variable holds no URL.
    return false;
  }
}

/**
 * Warnings about variables whose proxy the toolkit can't use: it ignores them silently, so that a request and its key
 * bypass the proxy (https://github.com/actions/toolkit/blob/main/packages/http-client/src/proxy.ts). The value may hold a
 * password, so it is not quoted.
 */
export function proxyWarnings(): Message[] {
  return ["http:", "https:"].filter(isIgnored).map((scheme) => {
    const variable = code(proxyVariable(scheme));
    return text`${variable} is not a valid proxy address, so requests to ${code(scheme)} URLs bypass that proxy. It must start with ${code("http://")} or ${code("https://")}, and characters such as @, : and % in its user and password must be percent-encoded.`;
  });
}

function isIgnored(scheme: string): boolean {
  const isSet = Boolean(process.env[proxyVariable(scheme)]);
  const anyUrl = new URL(`${scheme}//any.invalid`);
  return isSet && !checkBypass(anyUrl) && !isProxied(anyUrl);
}

/** What the package `tunnel` says of a tunnel that a proxy refused; nothing else shows the status. */
const refusedTunnel = /^tunneling socket could not be established, statusCode=(\d+)$/;

/** The status with which a proxy refused a tunnel, if that caused this error. */
export function proxyRefusal(error: unknown): number | undefined {
  if (!isNativeError(error)) return undefined;
  const [, status] = refusedTunnel.exec(error.message) ?? [];
  return status === undefined ? proxyRefusal(error.cause) : Number(status);
}
