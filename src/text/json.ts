/** No sensible document comes near. A parser may set such a limit (RFC 8259, 9). */
const deepest = 100;

/**
 * What a text is as JSON; undefined where it is none, or is nested deeper than anything sensible: whoever walks that
 * would run out of stack. `null` and other scalars count as JSON. A byte order mark is passed over (RFC 8259, 8.1).
 */
export function parseJson(text: string): unknown {
  const value = parseJsonOfAnyDepth(text);
  return isWithin(deepest, value) ? value : undefined;
}

/** The same however deep it is nested, for who has millions of values to parse and walks none of them. */
export function parseJsonOfAnyDepth(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Whether at most so many lists and objects stand within each other. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithin(depth - 1, part));
}

/** The object, or undefined where the text is not one JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
}
