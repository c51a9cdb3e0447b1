import type { InputReader } from "./reader.ts";

/**
 * An id that becomes a part of a path, `""` where it was refused because it would lead elsewhere; undefined where none is
 * given.
 */
export function readId(reader: InputReader, input: string): string | undefined {
  const id = reader.optional(input);
  if (id !== "." && id !== "..") return id;
  reader.refuse(input, 'can\'t be "." or ".."');
  return "";
}
