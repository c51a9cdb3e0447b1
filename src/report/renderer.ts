import type { Place } from "../errors.ts";
import type { LogLine } from "../platform/log-lines.ts";
import { codeBlock, codeCell, codeElement, codeSpan, inCell, link } from "../text/markdown.ts";
import { type Message, text, type Value } from "../text/message.ts";
import { createRedactor, type RunRedactor } from "../text/redact.ts";
import { sanitizeEnds, sanitizeExcerpt, sanitizeIndented, sanitizeLine } from "../text/sanitize.ts";

/** In characters: how much of a value is searched for secrets, far more than is ever shown of it. */
const maxRedactedLength = 50_000;

/**
 * Makes text for people out of messages and of values from outside: the one place where these are redacted, sanitized, cut
 * and escaped. Secrets are removed before a value is cut, because half a secret would not be recognized.
 */
export class Renderer {
  readonly #redact: Pick<RunRedactor, "text" | "value" | "lines">;

  constructor(redact: Pick<RunRedactor, "text" | "value" | "lines">) {
    this.#redact = redact;
  }

  /** One line for the log, an annotation, an output or a description. */
  plain(message: Message): string {
    return sanitizeLine(joinParts(message, (value) => this.#plainValue(value)));
  }

  /** `plain` for a block of code in Markdown, in which ids of revisions are short too. */
  inBlock(message: Message): string {
    const plainValue = (value: Value) =>
      value.kind === "id" ? this.#shortId(value) : this.#plainValue(value);
    return sanitizeLine(joinParts(message, plainValue));
  }

  /** One line of Markdown, in which values do nothing. */
  markdown(message: Message): string {
    return joinParts(message, (value) => this.#markdownValue(value), escapeWords);
  }

  /** `markdown` for a cell of a table. */
  cell(message: Message | Value): string {
    return inCell(this.markdown("parts" in message ? message : text`${message}`));
  }

  /** A name for where GitHub renders HTML, but no Markdown. */
  codeElement(name: Value): string {
    return codeElement(this.#text(name));
  }

  /** An id or a name in full for a cell of a table. */
  idCell(raw: string): string {
    return codeCell(this.#id(raw));
  }

  /**
   * A value that is used later, such as an output, an id in a record or a document that is passed on: whole and as it is, but
   * without the run's credentials.
   */
  value(raw: string): string {
    return this.#redact.value(raw);
  }

  /** The message for another step, which can render it again: its values are redacted and cut. */
  kept({ parts }: Message): Message {
    return { parts: parts.map((part) => (typeof part === "string" ? part : this.#keptValue(part))) };
  }

  #keptValue(value: Value): Value {
    const { kind, maxLength, endLength = 0 } = value;
    const raw = kind === "quote" ? this.#text(value) : this.#plainValue(value);
    return { kind, raw, maxLength: maxLength + endLength };
  }

  /** A file for an annotation; undefined if it can't be shown as it is, because any other path would be another file. */
  place({ path, line }: Place): { readonly file: string; readonly line?: number | undefined } | undefined {
    const isShowable = sanitizeLine(this.value(path)) === path;
    return isShowable ? { file: path, line } : undefined;
  }

  /** Lines of a log or a document in the order given, for the log or a block of code: a secret may span several. */
  lines(lines: readonly string[], maxLineLength: number): string[] {
    const redacted = this.#redact.text(lines.map((line) => line.slice(0, maxRedactedLength)).join("\n"));
    return redacted.split("\n").map((line) => sanitizeLogLine(line, maxLineLength));
  }

  /**
   * The lines of a log of the platform, one by one; one may be blank. `unfinishedFrom`: the first that may hold a part of a
   * secret that continues in a further line.
   */
  logLines(
    lines: readonly LogLine[],
    maxLineLength: number,
  ): { readonly lines: readonly string[]; readonly unfinishedFrom: number } {
    const redacted = this.#redact.lines(lines.map((line) => line.text));
    const labelled = lines.map(({ label }, index) => `${label}${lastRedraw(redacted.lines[index] ?? "")}`);
    return {
      lines: labelled.map((line) => sanitizeLogLine(line, maxLineLength)),
      unfinishedFrom: redacted.unfinishedFrom,
    };
  }

  /** The last lines of a log of the platform, at most `count`: a secret that ends in them may begin before them. */
  endOfLog(lines: readonly LogLine[], count: number, maxLineLength: number): string[] {
    return this.logLines(lines, maxLineLength)
      .lines.filter((line) => line.trim() !== "")
      .slice(-count);
  }

  /** `endOfLog` as a block of code in Markdown. */
  endOfLogBlock(lines: readonly LogLine[], count: number, maxLineLength: number): string {
    return codeBlock(this.endOfLog(lines, count, maxLineLength));
  }

  /** `lines` as a block of code in Markdown. */
  block(lines: readonly string[], maxLineLength: number): string {
    return codeBlock(this.lines(lines, maxLineLength));
  }

  #plainValue(value: Value): string {
    switch (value.kind) {
      case "input":
      case "place":
        return value.raw;
      case "id":
      case "url":
        return this.#id(value.raw, value.maxLength);
      case "quote":
        return `"${this.#text(value)}"`;
      case "code":
        return this.#text(value);
    }
  }

  #markdownValue(value: Value): string {
    switch (value.kind) {
      case "input":
        return codeSpan(value.raw);
      case "code":
      case "quote":
        return codeSpan(this.#text(value));
      case "place":
        return "below";
      case "id":
        return codeSpan(this.#shortId(value));
      case "url": {
        // Sanitized, it would lead elsewhere. `link` escapes it.
        const address = this.value(value.raw);
        const isLink =
          /^https?:/i.test(address) && address.length <= value.maxLength && URL.canParse(address);
        return isLink ? link(new URL(address)) : codeSpan(this.#plainValue(value));
      }
    }
  }

  #shortId(value: Value): string {
    return this.#plainValue(value).slice(0, shortIdLength);
  }

  /** A short secret that is found in an id is chance, but an agent may report any text as one. */
  #id(raw: string, maxLength = 3000): string {
    const start = raw.slice(0, maxRedactedLength);
    const redacted = /^[\w-]+$/.test(start) ? this.#redact.value(start) : this.#redact.text(start);
    return sanitizeExcerpt(redacted, maxLength);
  }

  #text({ raw, maxLength, endLength = 0, hidden = [] }: Value): string {
    const redacted = raw.length > maxRedactedLength ? this.#redactStart(raw) : this.#redact.text(raw);
    const withoutHidden = hidden.length === 0 ? redacted : createRedactor(hidden).text(redacted);
    if (endLength === 0) return sanitizeExcerpt(withoutHidden, maxLength);
    // Where a text was cut before it was redacted, half a secret may stand.
    return raw.length > maxRedactedLength
      ? sanitizeExcerpt(withoutHidden, maxLength + endLength)
      : sanitizeEnds(withoutHidden, maxLength, endLength);
  }

  /** As much of a long text as is searched for secrets, up to the line in which one may begin that ends later. */
  #redactStart(raw: string): string {
    const start = raw.slice(0, maxRedactedLength).replace(lastEscapes, "");
    const { lines, unfinishedFrom } = this.#redact.lines(start.split("\n"));
    return `${lines.slice(0, unfinishedFrom).join("\n")}…`;
  }
}

function joinParts(
  { parts }: Message,
  show: (value: Value) => string,
  showWords: (words: string) => string = String,
): string {
  return parts.map((part) => (typeof part === "string" ? showWords(part) : show(part))).join("");
}

/** The escapes at the end of a text: one that is cut can't be decoded, so that the secret in it would not be found. */
const lastEscapes = /(?:[\\%&][\w#;]{0,9}){1,12}$/;

/** Tabs would be removed with the control characters. */
function sanitizeLogLine(line: string, maxLength: number): string {
  return sanitizeIndented(line.replaceAll("\t", "  "), maxLength);
}

/** What a terminal shows of a line that was drawn several times, such as a progress bar. */
function lastRedraw(line: string): string {
  return line.split("\r").findLast((drawn) => drawn.trim() !== "") ?? "";
}

/** Enough to tell the revisions of a deployment apart. */
const shortIdLength = 8;

/** Words of this action with what Markdown would take for markup escaped, such as a placeholder in angle brackets. */
function escapeWords(words: string): string {
  return words.replace(/[\\`*_[\]<>|~]/g, "\\$&");
}
