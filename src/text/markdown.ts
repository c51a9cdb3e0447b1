import { percentEncoded } from "./percent.ts";
import { sanitizeIndented, sanitizeLine } from "./sanitize.ts";

/**
 * Text from outside as a Markdown code span: inside one there is no mention, tag, link or emphasis. The fence
 * is longer than any run of backticks in the text (CommonMark, 6.1).
 */
export function codeSpan(text: string): string {
  const line = sanitizeLine(text) || " ";
  const fence = "`".repeat(maxRun(line) + 1);
  const padding = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Lines from outside as a block of code, where nothing of them is live (CommonMark, 4.5). */
export function codeBlock(lines: readonly string[]): string {
  const inert = lines.map((line) => sanitizeIndented(line, Number.POSITIVE_INFINITY));
  const fence = "`".repeat(Math.max(3, ...inert.map((line) => maxRun(line) + 1)));
  return [`${fence}text`, ...inert, fence].join("\n");
}

function maxRun(line: string): number {
  return Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
}

/** `codeSpan` for a table cell, where GitHub splits at a pipe even inside code unless it is escaped. */
export function codeCell(text: string): string {
  return inCell(codeSpan(text));
}

/** Markdown of one line, whose pipes all stand in code, for a table cell. */
export function inCell(markdown: string): string {
  return markdown.replace(/(\\*)\|/g, (_match, backslashes: string) => `${backslashes}${backslashes}\\|`);
}

/**
 * A link to an address that was already checked to be http(s); its text is the address itself unless given.
 * `text`: without brackets, for at the start of a line `]:` would make a definition of it (CommonMark, 4.7).
 */
export function link(url: URL, text?: string): string {
  const address = url.href.replace(/[<>()[\]|`\\]/g, percentEncoded);
  // Even in an address `&#64;` would be taken for an `@` (CommonMark, 6.3 and 2.5).
  return `[${codeCell(text ?? address)}](<${address.replaceAll("&", "\\&")}>)`;
}
