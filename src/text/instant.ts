/** A time that a server gave, in milliseconds since the epoch; NaN where it gave none, or none that can be read. */
export function instantMs(text: string | undefined): number {
  return Date.parse(text ?? "");
}
