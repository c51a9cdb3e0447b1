/** Returns the lines of texts, without blank ones. */
export function linesOf(texts: readonly string[]): string[] {
  return texts.flatMap((raw) => raw.split(/[\r\n]/)).filter((line) => line.trim() !== "");
}
