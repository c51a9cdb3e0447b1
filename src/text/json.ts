/** What a text is as JSON; undefined where it is none. `null` and other scalars count as JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object, or undefined where the text is not one JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
}
