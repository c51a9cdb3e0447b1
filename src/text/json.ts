/** No sensible document is nested deeper. Walking a deeper one could exhaust the stack. */
const maxDepth = 1000;

/**
 * The value of a JSON text; undefined if it is not JSON or nested too deeply. A byte order mark is ignored
 * (https://www.rfc-editor.org/rfc/rfc8259#section-8.1).
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
    return isWithinDepth(value, maxDepth) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithinDepth(part, depth - 1));
}

/** The object of a JSON text, undefined if it is anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  return asObject(parseJson(text));
}

/** The value, if it is an object and not a list. */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** A copy of a JSON value with every string in it changed, at any depth; names of properties stay. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapStrings(part, change)]));
}
