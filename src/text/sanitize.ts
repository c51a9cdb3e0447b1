// Makes text from outside (a server, a ref, a file) safe to print. The runner reads commands from both output streams of a
// step, so all such text goes through here.

/**
 * Matches control sequences of terminals (https://ecma-international.org/publications-and-standards/standards/ecma-48/), and
 * invisible characters. The runner ignores most of these when it looks for a command, because .NET compares strings by
 * culture: https://learn.microsoft.com/en-us/dotnet/standard/base-types/string-comparison-net-5-plus
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]|(?!\n)\p{Cc}|[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * Returns the text without control sequences of terminals and invisible characters. Line ends become `\n`, tabs and other
 * blanks become spaces. A second call removes nothing more.
 */
export function removeInvisible(raw: string): string {
  // Most text is printable ASCII. Compiling the expressions below would delay every start by milliseconds.
  if (/^[\n -~]*$/.test(raw)) return raw;
  return raw
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/(?![\n\ufeff])[\s\u0085\u2800]/g, " ")
    .replace(invisible, "");
}

/**
 * Returns one line without invisible characters and without a command for the runner: `##[` starts one anywhere in a line, `::`
 * at its start (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
 */
export function sanitizeLine(raw: string): string {
  const line = removeInvisible(raw).replace(/\n+/g, " ").trim();
  return line.replaceAll("##[", "## [").replace(/^::/, ": :");
}

/** `sanitizeLine`, cut to at most `maxLength` characters, the ellipsis included. */
export function sanitizeExcerpt(raw: string, maxLength: number): string {
  const line = sanitizeLine(raw);
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** `sanitizeExcerpt` that keeps up to 40 blanks at the start of the text. */
export function sanitizeIndented(raw: string, maxLength: number): string {
  return (/^ {0,40}/.exec(raw)?.[0] ?? "") + sanitizeExcerpt(raw, maxLength);
}
