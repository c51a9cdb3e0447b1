/** Whether two ids or names are equal, ignoring case: a server may write one differently than the user did. */
export function equalsIgnoringCase(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** Returns the lines of texts, without blank ones. */
export function linesOf(texts: readonly string[]): string[] {
  return texts.flatMap((raw) => raw.split(/[\r\n]/)).filter((line) => line.trim() !== "");
}
