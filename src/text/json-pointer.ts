/**
 * The value at a JSON Pointer; undefined if there is none (https://www.rfc-editor.org/rfc/rfc6901#section-4). The pointer must
 * be valid.
 */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const name of namesIn(pointer)) {
    if (typeof value !== "object" || value === null) return undefined;
    // The only property of a list of JSON that is no index.
    if (Array.isArray(value) && name === "length") return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

function namesIn(pointer: string): string[] {
  const names = pointer.split("/").slice(1);
  return names.map(unescapePointer);
}

/** A pointer, or a name in it, without its escapes. */
export function unescapePointer(text: string): string {
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
