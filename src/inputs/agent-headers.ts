import type { InputReader } from "./reader.ts";

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
export function headerProblem(name: string, value: string): string | undefined {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "has a name that is no header name";
  if (refusedNames.has(name.toLowerCase())) return `sets ${name.toLowerCase()}, which the action sets itself`;
  if (value === "") return "has an empty value. GitHub passes an empty text for a secret that does not exist";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : "has a value with a line end or another character that a header can't hold";
}

/** A line of the input; `name` and `value` are undefined if it has no colon. */
interface HeaderLine {
  readonly place: string;
  readonly text: string;
  readonly name: string | undefined;
  readonly value: string;
}

function linesOf(text: string): HeaderLine[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "" || line.trimStart().startsWith("#")) return [];
    const colon = line.indexOf(":");
    const name = colon < 0 ? undefined : line.slice(0, colon).trim();
    return [{ place: `line ${index + 1}`, text: line, name, value: line.slice(colon + 1).trim() }];
  });
}

/** The `agent_headers` input: lines of `Name: value`, by lower-case names. Problems name a line, never content. */
export function readAgentHeaders(reader: InputReader): Headers {
  const headers = new Map<string, string>();
  for (const { place, name, value } of linesOf(reader.raw("agent_headers"))) {
    const problem =
      name === undefined ? "is no Name: value, because it has no colon" : headerProblem(name, value);
    if (problem !== undefined) reader.reject("agent_headers", `has a line that ${problem} (${place})`);
    const key = name?.toLowerCase() ?? "";
    if (headers.has(key)) reader.reject("agent_headers", `has the same name twice (${place})`);
    headers.set(key, value);
  }
  return Object.fromEntries(headers);
}

/** Shorter parts of a value are often ordinary words, such as the scheme of an `Authorization`. */
const minPartLength = 8;

/** What is secret in the `agent_headers` input, valid or not. */
export function agentHeaderSecrets(reader: InputReader): string[] {
  return linesOf(reader.raw("agent_headers")).flatMap(({ name, text, value }) =>
    name === undefined ? [text] : headerSecrets(value),
  );
}

/**
 * What may be secret in the value of a header: the value, its parts (such as the token after `Bearer`, or the value of a
 * cookie), and the password of `Basic`.
 */
export function headerSecrets(value: string): string[] {
  return [value, ...partsOf(value), ...basicCredentials(value)];
}

function partsOf(value: string): string[] {
  return value.split(/[\s,;=]+/).filter((part) => part.length >= minPartLength);
}

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 */
function basicCredentials(value: string): string[] {
  const [, encoded] = /^basic +(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const decoded = Buffer.from(encoded, "base64").toString();
  return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
}
