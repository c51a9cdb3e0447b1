/**
 * The names that a JSON Pointer leads through; undefined for a text that is no JSON Pointer
 * (https://www.rfc-editor.org/rfc/rfc6901#section-3).
 */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!/^(\/([^~/]|~[01])*)+$/u.test(pointer)) return undefined;
  const names = pointer.slice(1).split("/");
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value that these names lead to; undefined if there is none (https://www.rfc-editor.org/rfc/rfc6901#section-4). */
export function resolvePointer(document: unknown, names: readonly string[]): unknown {
  let value = document;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return undefined;
    // The only property of a list of JSON that is no index.
    if (Array.isArray(value) && name === "length") return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
