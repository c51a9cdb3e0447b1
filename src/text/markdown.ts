import { inertLine } from "./inert.ts";

/**
 * Text from outside as a Markdown code span: inside one there is no mention, tag, link or emphasis. The fence
 * is longer than any run of backticks in the text, as CommonMark asks (section 6.1).
 */
export function codeSpan(text: string): string {
  const line = inertLine(text) || " ";
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const padding = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** `codeSpan` for a table cell, where GitHub splits at a pipe even inside code unless it is escaped. */
export function codeCell(text: string): string {
  return codeSpan(text).replace(
    /(\\*)\|/g,
    (_match, backslashes: string) => `${backslashes}${backslashes}\\|`,
  );
}

/** A link to an address that was already checked to be http(s); its text is the address itself. */
export function link(url: URL, text = url.href): string {
  const address = url.href.replace(
    /[<>()[\]|`\\]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `[${codeSpan(text)}](<${address}>)`;
}
