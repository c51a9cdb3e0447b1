import { type Phrase, phrase } from "../text/message.ts";

/**
 * Returns why a path can't be requested below the deployment's URL; undefined if it can. It must not lead to
 * another host or out of that URL's path. A fragment would not be sent.
 */
export function pathProblem(path: string): Phrase | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) {
    return phrase`must be a path that starts with exactly one /, such as /ok`;
  }
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path)) {
    return phrase`must not contain a space, a \\, a # or a non-ASCII character (percent-encode it)`;
  }
  const segments = withoutQuery(path).split(/\/|%2f|%5c/i);
  return segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
    ? phrase`must not contain the segments . or ..`
    : undefined;
}

/** Returns a path for messages: its query may hold a key. */
export function withoutQuery(path: string): string {
  return path.replace(/\?.*/s, "");
}

/** Whether a part of a request may be secret. Shorter ones are often words, such as `Bearer` or the name of an environment. */
export function mayBeSecret(part: string): boolean {
  return part.length >= 8;
}

/** Returns the possible secrets in the query of a path, which a server may repeat in its response. */
export function querySecrets(path: string): string[] {
  const values = new URLSearchParams(path.slice(withoutQuery(path).length)).values();
  return [...values].filter(mayBeSecret);
}

/** The values of headers by lower-case names. */
export type HeaderValues = Readonly<Record<string, string>>;

/** Headers of the connection, which clients refuse (https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1). */
const ownHeaders = /^(?:connection|keep-alive|transfer-encoding|upgrade|expect|content-length)$/i;

/** Returns why a header can't be sent (https://www.rfc-editor.org/rfc/rfc9110#section-5). */
export function headerProblem(name: string, value: string): Phrase | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return phrase`has an invalid header name`;
  if (ownHeaders.test(name)) return phrase`has a name that each request sets itself`;
  if (isEmptyHeader(name, value)) {
    return phrase`has an empty value. GitHub passes an empty string for a secret that does not exist`;
  }
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : phrase`has a value with a line end or another character that a header can't contain`;
}

/** Whether a header, named in lower case, has no value or only a scheme, as if its secret does not exist. */
export function isEmptyHeader(name: string, value: string): boolean {
  return value === "" || (name === "authorization" && /^(?:bearer|basic)$/i.test(value));
}

/** Returns the possible secrets in a header: its value, and parts of it, such as the token after `Bearer`. */
export function headerSecrets(value: string): string[] {
  return [value, ...value.split(/[\s,;=]/).filter(mayBeSecret)];
}
