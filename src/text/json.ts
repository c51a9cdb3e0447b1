import { isNode, parseDocument } from "yaml";

/** Far more levels than any known response has. Functions that walk through a value overflow the stack with thousands. */
const maxDepth = 500;

/** Returns the value of a JSON text; undefined if it is not JSON, or has more than 500 levels. */
export function parseJson(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return isDeeperThan(maxDepth, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/**
 * Returns the line of the first mistake in a JSON text; undefined if there is none. V8 names most lines at the end of its
 * message. It names none for an unexpected token, as in `{\n"a": tru}` (line 2), and for an unexpected end.
 */
export function lineOfMistake(json: string): number | undefined {
  const mistake = mistakeIn(json);
  if (mistake === "") return undefined;
  const [, named] = /\(line (\d+) column \d+\)$/.exec(mistake) ?? [];
  if (named !== undefined) return Number(named);
  const lines = json.trimEnd().split("\n");
  // The token is in the first line with which the text so far is wrong.
  const index = lines.findIndex((_line, end) =>
    mistakeIn(`${lines.slice(0, end + 1).join("\n")}\n`).includes("Unexpected token"),
  );
  return index < 0 ? lines.length : index + 1;
}

/** Returns V8's message; empty if there is no mistake. */
function mistakeIn(json: string): string {
  try {
    JSON.parse(json);
    return "";
  } catch (error) {
    return String(error);
  }
}

/** Returns the object of a JSON text, undefined if it is anything else. */
export function parseJsonObject(json: string): Readonly<Record<string, unknown>> | undefined {
  return asObject(parseJson(json));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value, if it is an object and not a list. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}

/** Whether a string in a JSON value contains a part. In the text of the JSON, its quotes and line ends would be escaped. */
export function hasString(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.includes(part);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => hasString(inner, part));
}

/**
 * Returns the value at a JSON Pointer; undefined if there is none (https://www.rfc-editor.org/rfc/rfc6901#section-4). The
 * pointer must be valid.
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const escaped of pointer.split("/").slice(1)) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    const parts: Record<string, unknown> = typeof value === "object" ? { ...value } : {};
    value = Object.hasOwn(parts, name) ? parts[name] : undefined;
  }
  return value;
}

/** Returns a text without its line breaks and indentation, such as that of JSON. */
export function withoutIndentation(raw: string): string {
  return raw.replace(/[\r\n]\s*/g, " ");
}

/** JSON with the fields of each object in alphabetical order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(object).toSorted();
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

export type Keys = readonly (string | number)[];

export function lineOfValue(json: string, keys: Keys): number | undefined {
  const node = parseDocument(json, { uniqueKeys: false }).getIn(keys, true);
  return isNode(node) && node.range ? json.slice(0, node.range[0]).split("\n").length : undefined;
}

/** Returns the values at a place of a document; `*` stands for every entry of an object or a list. */
export function valuesAt(
  document: unknown,
  [name, ...rest]: readonly string[],
  keys: Keys = [],
): readonly { readonly keys: Keys; readonly value: unknown }[] {
  if (name === undefined) return [{ keys, value: document }];
  const entries: [string | number, unknown][] = Array.isArray(document)
    ? [...document.entries()]
    : Object.entries(asObject(document) ?? {});
  return entries
    .filter(([key]) => name === "*" || name === key)
    .flatMap(([key, value]) => valuesAt(value, rest, [...keys, key]));
}

export function withoutUndefined<T extends object>(fields: T): Partial<T> {
  const defined: Partial<T> = { ...fields };
  for (const key in defined) if (defined[key] === undefined) delete defined[key];
  return defined;
}
