import { inertIndented, inertLine } from "./inert.ts";
import { percentEncoded } from "./percent.ts";

/**
 * Text from outside as a Markdown code span: inside one there is no mention, tag, link or emphasis. The fence
 * is longer than any run of backticks in the text (CommonMark, 6.1).
 */
export function codeSpan(text: string): string {
  const line = inertLine(text) || " ";
  const fence = "`".repeat(longestRun(line) + 1);
  const padding = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Lines from outside as a block of code, where nothing of them is live (CommonMark, 4.5). */
export function codeBlock(lines: readonly string[]): string {
  const inert = lines.map((line) => inertIndented(line, Number.POSITIVE_INFINITY));
  const fence = "`".repeat(Math.max(3, ...inert.map((line) => longestRun(line) + 1)));
  return [`${fence}text`, ...inert, fence].join("\n");
}

function longestRun(line: string): number {
  return Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
}

/** `codeSpan` for a table cell, where GitHub splits at a pipe even inside code unless it is escaped. */
export function codeCell(text: string): string {
  return codeSpan(text).replace(
    /(\\*)\|/g,
    (_match, backslashes: string) => `${backslashes}${backslashes}\\|`,
  );
}

/**
 * Sentences that may quote text from outside: plain words stay prose, and whatever else (ids, addresses,
 * mentions, markup) stands in code spans, where nothing of it is live.
 */
export function prose(text: string): string {
  const pieces: string[] = [];
  let code: string[] = [];
  const closeCode = () => {
    if (code.length > 0) pieces.push(spanWithPunctuation(code.join(" ")));
    code = [];
  };
  for (const word of inertLine(text).split(/\s+/).filter(Boolean)) {
    const startsList = pieces.length === 0 && code.length === 0 && /^\d+[.)]/.test(word);
    if (isPlain(word) && !startsList) {
      closeCode();
      pieces.push(word);
    } else {
      code.push(word);
      if (/[.,;:!?]$/.test(word)) closeCode();
    }
  }
  closeCode();
  return pieces.join(" ");
}

/** A word or a short number with its punctuation. Long hexadecimal ones would be linked as commits. */
function isPlain(word: string): boolean {
  return (
    /^[("“]?([A-Za-z]+(['’-][A-Za-z]+)*|\d{1,6}(\.\d{1,6})?)[)"”]?[.,;:!?…]*$/.test(word) &&
    !/\b[0-9a-f]{7,}/i.test(word)
  );
}

/** The punctuation that ends a sentence stays outside of the code that it follows. */
function spanWithPunctuation(text: string): string {
  const [, inside = text, punctuation = ""] = /^(.*?[^.,;:!?])([.,;:!?]+)$/s.exec(text) ?? [];
  return `${codeSpan(inside)}${punctuation}`;
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
