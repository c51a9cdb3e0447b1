/** Returns the lines of texts, without blank ones. */
export function linesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[\r\n]/)).filter((line) => line.trim() !== "");
}
