// Makes Markdown of lines from outside, which can't act as markup in it. `report/renderer.ts` sanitizes them first.

/**
 * Returns a line as a code span, in which mentions, tags, links and emphasis have no effect. Its fence is longer than any run
 * of backticks in it (https://spec.commonmark.org/0.31.2/#code-spans).
 */
export function codeSpan(line: string): string {
  const fence = "`".repeat(maxBackticks(line) + 1);
  const padding = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${padding}${line || " "}${padding}${fence}`;
}

/** `codeSpan` as HTML, for places where GitHub renders no Markdown, such as a `<summary>`. */
export function codeElement(line: string): string {
  const escaped = line.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** Returns lines as a block of code (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). */
export function codeBlock(lines: readonly string[]): string {
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => maxBackticks(line) + 1)));
  return [`${fence}text`, ...lines, fence].join("\n");
}

function maxBackticks(line: string): number {
  return Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
}

/**
 * Escapes the pipes of one line of Markdown for a table cell, because GitHub splits cells even at a pipe in code
 * (https://github.github.com/gfm/#example-200). The line must not contain other pipes.
 */
export function inCell(markdown: string): string {
  return markdown.replace(/(\\*)\|/g, (_match, backslashes: string) => `${backslashes}${backslashes}\\|`);
}

/**
 * Returns a link to an http(s) URL. `title`: Markdown of this action, by default the URL. It must not contain brackets: at the
 * start of a line, `]:` would make it a definition (https://spec.commonmark.org/0.31.2/#link-reference-definitions).
 */
export function markdownLink(url: URL, title?: string): string {
  const address = url.href.replace(/[<>()[\]|`\\]/g, percentEncode);
  // Even in a URL, `&#64;` would become an `@` (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references).
  return `[${title ?? inCell(codeSpan(address))}](<${address.replaceAll("&", "\\&")}>)`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
