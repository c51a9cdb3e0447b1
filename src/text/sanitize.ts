/**
 * Makes text from outside (a server, a ref, a file) safe to print and to put into Markdown. The runner reads commands
 * from both output streams of a step, so all such text goes through here.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const ansiSequence = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// Line ends, control characters, marks that reorder or hide text, and all other invisible characters: the runner
// ignores them when it looks for a command, because .NET compares strings by culture:
// https://learn.microsoft.com/en-us/dotnet/standard/base-types/string-comparison-net-5-plus
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * One line without control characters that the runner can't take for a command: `##[` is one anywhere in a line, `::`
 * at its start (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
 */
export function sanitizeLine(text: string): string {
  // Most text is printable ASCII. To compile the expressions for the rest takes milliseconds of every start.
  const printable = /^[ -~]*$/.test(text) ? text : text.replace(ansiSequence, "").replace(unprintable, " ");
  const line = printable.trim();
  return line.replaceAll("##[", "## [").replace(/^::/, ": :");
}

/** `sanitizeLine`, cut to at most `maxLength` characters, the ellipsis included. */
export function sanitizeExcerpt(text: string, maxLength: number): string {
  const line = sanitizeLine(text);
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** `sanitizeLine`, with an ellipsis between the first and the last characters if there are more. */
export function sanitizeEnds(text: string, startLength: number, endLength: number): string {
  const line = sanitizeLine(text);
  const maxLength = startLength + endLength;
  if (line.length <= maxLength) return line;
  return `${sanitizeExcerpt(line, startLength)}${line.slice(-endLength).replace(/^[\udc00-\udfff]/, "")}`;
}

/** `sanitizeExcerpt` that keeps up to 40 blanks at the start of the text. */
export function sanitizeIndented(text: string, maxLength: number): string {
  return (/^ {0,40}/.exec(text)?.[0] ?? "") + sanitizeExcerpt(text, maxLength);
}
