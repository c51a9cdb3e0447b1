import { isNativeError } from "node:util/types";
import { checkBypass, getProxyUrl } from "@actions/http-client/lib/proxy";

type Scheme = "http:" | "https:";

/** The variable that requests to such addresses take their proxy from: the one that is set, else the usual one. */
export function proxyVariable(scheme: string): string {
  const usual = scheme === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [usual.toLowerCase(), usual].find((name) => process.env[name]) ?? usual;
}

/** Whether requests to this address go through a proxy. */
export function isProxied(url: URL): boolean {
  return Boolean(proxyOf(url)?.hostname);
}

/** Undefined also where the variable can't be used at all: the toolkit then throws, or takes no proxy. */
function proxyOf(url: URL): URL | undefined {
  try {
    return getProxyUrl(url);
  } catch {
    return undefined;
  }
}

/**
 * What to warn of where a variable names a proxy in a way that the toolkit can't use: it says nothing then, and the
 * request, with its key, goes out directly (@actions/http-client: proxy.ts). The value isn't quoted: it may hold a
 * password.
 */
export function proxyWarnings(): string[] {
  return (["http:", "https:"] as const).filter(isIgnored).map((scheme) => {
    const variable = proxyVariable(scheme);
    return `${variable} is set, but can't be used: requests to ${scheme} addresses don't go through that proxy. It has to be an address that starts with http:// or https://, and in its user and password signs such as @, : and % have to be percent-encoded.`;
  });
}

function isIgnored(scheme: Scheme): boolean {
  const isSet = Boolean(process.env[proxyVariable(scheme)]);
  const anywhere = new URL(`${scheme}//anywhere.invalid`);
  return isSet && !checkBypass(anywhere) && !isProxied(anywhere);
}

/** What the packages `tunnel` and `undici` say of a tunnel that a proxy refused to make; nothing else tells its status. */
const tunnelRefused =
  /^(?:tunneling socket could not be established, statusCode=|Proxy response \()(\d+)(?:$|\) !== 200 when HTTP Tunneling$)/;

/** The status with which a proxy refused to make a tunnel, where that is what an error or one of its causes tells. */
export function proxyRefusal(error: unknown): number | undefined {
  if (!isNativeError(error)) return undefined;
  const [, status] = tunnelRefused.exec(error.message) ?? [];
  return status === undefined ? proxyRefusal(error.cause) : Number(status);
}
