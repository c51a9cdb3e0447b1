import { code, type Message, text } from "../text/message.ts";

/**
 * Why a path can't be requested below the deployment's URL, without its subject; undefined if it can. The path must not
 * lead to another host or out of that URL's path, and a fragment is never sent.
 */
export function pathProblem(path: string): Message | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) {
    return text`must be a path that starts with exactly one /, such as /ok`;
  }
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return text`must not contain a space, a \\, a # or a non-ASCII character (percent-encode it)`;
  }
  const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment);
  return withoutQuery(path)
    .split(/\/|%2f|%5c/i)
    .some(isDots)
    ? text`must not contain the segments . or ..`
    : undefined;
}

/** What is shown of a path: the query may hold a key. */
export function withoutQuery(path: string): string {
  return path.replace(/\?.*/s, "");
}

/** Shorter parts of a query or a header are often ordinary words, such as the scheme of an `Authorization`. */
const minPartLength = 8;

/** What may be secret in the query of a path, which a server may repeat. */
export function querySecrets(path: string): string[] {
  const values = new URLSearchParams(path.slice(withoutQuery(path).length)).values();
  return [...values].filter((value) => value.length >= minPartLength);
}

export type Headers = Readonly<Record<string, string>>;

/**
 * Headers that belong to the connection or the body, or that would make the response unreadable:
 * https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
const refusedNames = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Why a header can't be sent, without its subject, such as "has no value"; undefined if it can. Never holds the value. */
export function headerProblem(name: string, value: string): Message | undefined {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return text`has an invalid header name`;
  const lowerName = name.toLowerCase();
  if (refusedNames.has(lowerName)) return text`sets ${code(lowerName)}, which the action sets itself`;
  if (value === "") {
    return text`has an empty value. GitHub passes an empty string for a secret that does not exist`;
  }
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : text`has a value with a line end or another character that a header can't contain`;
}

/**
 * What may be secret in the value of a header: the value, its parts (such as the token after `Bearer`, or the value of a
 * cookie), and the password of `Basic`.
 */
export function headerSecrets(value: string): string[] {
  const parts = value.split(/[\s,;=]/).filter((part) => part.length >= minPartLength);
  return [value, ...parts, ...basicCredentials(value)];
}

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 */
function basicCredentials(value: string): string[] {
  const encoded = /^basic +(\S+)/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const decoded = Buffer.from(encoded, "base64").toString();
  return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
}
