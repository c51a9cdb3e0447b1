import { type Message, text } from "../text/message.ts";

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
  const segments = withoutQuery(path).split(/\/|%2f|%5c/i);
  return segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
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

/** The values of headers by lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** Why a header can't be sent (https://www.rfc-editor.org/rfc/rfc9110#section-5), as a part of a sentence without its value. */
export function headerProblem(name: string, value: string): Message | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return text`has an invalid header name`;
  if (value === "") {
    return text`has an empty value. GitHub passes an empty string for a secret that does not exist`;
  }
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : text`has a value with a line end or another character that a header can't contain`;
}

/**
 * What may be secret in the value of a header: the value and its parts, such as the token after `Bearer`, or a cookie's value.
 */
export function headerSecrets(value: string): string[] {
  return [value, ...value.split(/[\s,;=]/).filter((part) => part.length >= minPartLength)];
}
