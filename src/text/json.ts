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

/**
 * The value at a JSON Pointer; undefined if there is none (https://www.rfc-editor.org/rfc/rfc6901#section-4). The pointer must
 * be valid.
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const escaped of pointer.split("/").slice(1)) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null) return undefined;
    // The only property of a list of JSON that is no index.
    if (Array.isArray(value) && name === "length") return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

/** A JSON text without its line breaks and indentation, its values as they are written; any other text as it is. */
export function withoutIndentation(text: string): string {
  if (!text.includes("\n") || parseJson(text) === undefined) return text;
  // A string of JSON holds no line break.
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.includes("\n") ? "" : part));
}
