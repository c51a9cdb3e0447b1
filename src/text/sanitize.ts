/**
 * Makes text that came from outside (a server, a ref, a file) safe to print or to put into Markdown.
 * The runner reads commands from both output streams, so this is the only way such text reaches them.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ansiSequence = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// Line ends of every kind, other control characters, the marks that reorder or hide text, and whatever else isn't
// seen: the runner passes over such characters where it looks for a command (.NET's culture-sensitive `IndexOf`).
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * One line that the runner can't take for a command: no line end or control character, no `##[` (which
 * counts anywhere in a line) and no leading `::` (runner: ActionCommand.cs, TryParse and TryParseV2).
 */
export function sanitizeLine(text: string): string {
  const line = text.replace(ansiSequence, "").replace(unprintable, " ").trim();
  return line.replaceAll("##[", "## [").replace(/^::/, ": :");
}

/** `sanitizeLine`, cut to a length in characters; what is cut is replaced by an ellipsis. */
export function sanitizeExcerpt(text: string, length: number): string {
  const line = sanitizeLine(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** `sanitizeExcerpt` behind the blanks, up to 40, with which the text begins. */
export function sanitizeIndented(text: string, length: number): string {
  return (/^ {0,40}/.exec(text)?.[0] ?? "") + sanitizeExcerpt(text, length);
}

/** Text from outside as (the end of) a sentence: made inert, cut, and closed with a full stop where it has none. */
export function sanitizeSentence(text: string, length: number): string {
  const line = sanitizeExcerpt(text, length);
  return /[.!?…]["')]?$/.test(line) ? line : `${line}.`;
}
