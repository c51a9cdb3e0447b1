import { codeBlock, codeElement, codeSpan, inCell, markdownLink } from "../text/markdown.ts";
import type { Message, Value } from "../text/message.ts";
import type { RunRedactor } from "../text/run-redactor.ts";
import { removeInvisible, sanitizeExcerpt, sanitizeIndented, sanitizeLine } from "../text/sanitize.ts";

/** In characters: far more than is ever shown. */
const maxSearchedLength = 50_000;

/**
 * Renders messages and values from outside as text: none of them is shown in another way. Secrets are removed before a value is
 * cut, because half a secret would not be recognized.
 */
export class Renderer {
  readonly #redact: Pick<RunRedactor, "redactText" | "redactIdentifier">;
  /** The IDs that were shown, all of them first in the log. No two of them may be shortened to the same text. */
  readonly #ids = new Set<string>();
  /** The searched parts of values: that of a long one takes long, and outputs are rendered at each change of the state. */
  readonly #starts = new WeakMap<Value, string>();

  constructor(redact: Pick<RunRedactor, "redactText" | "redactIdentifier">) {
    this.#redact = redact;
  }

  /** One line for the log, an annotation, an output or a description. */
  plain(message: Message): string {
    return sanitizeLine(this.#join(message, (value) => this.#plainValue(value)));
  }

  /** `plain` for a block of code in Markdown, which also shortens the IDs of revisions. */
  inBlock(message: Message): string {
    const plainValue = (value: Value) =>
      value.kind === "id" ? this.#shortId(value) : this.#plainValue(value);
    return sanitizeLine(this.#join(message, plainValue));
  }

  /** One line of Markdown, in which values can't act as markup. */
  markdown(message: Message): string {
    return this.#join(message, (value) => this.#markdownValue(value), escapeWords);
  }

  cell(message: Message): string {
    return inCell(this.markdown(message));
  }

  /** A name as HTML, for places where GitHub renders no Markdown. */
  codeElement(name: Message): string {
    return codeElement(this.plain(name));
  }

  /** A complete ID or name for a cell of a table. */
  idCell(raw: string): string {
    return inCell(codeSpan(this.#id(raw)));
  }

  /** A value for programs, such as an output or an ID in a record: without credentials, and without long secrets. */
  redactIdentifier(raw: string): string {
    return this.#redact.redactIdentifier(raw);
  }

  /** Lines for the log or a block of code. They are redacted together, because a secret may span several. */
  lines(lines: readonly string[], maxLineLength: number): string[] {
    const redacted = this.#redact.redactText(lines.map(searched).join("\n"));
    return redacted.split("\n").map((line) => sanitizeIndented(line, maxLineLength));
  }

  /** The last `maxLines` lines of a log that are not blank. */
  endOfLog(lines: readonly string[], maxLines: number, maxLineLength: number): string[] {
    return this.lines(lines, maxLineLength)
      .filter((line) => line.trim() !== "")
      .slice(-maxLines);
  }

  block(lines: readonly string[], maxLineLength: number): string {
    return codeBlock(this.lines(lines, maxLineLength));
  }

  #plainValue(value: Value): string {
    switch (value.kind) {
      case "input":
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
      case "id":
        return codeSpan(this.#shortId(value));
      case "url": {
        // It is redacted before it is parsed, which would remove a line end within a secret. It is not sanitized, which would
        // change where it leads: `markdownLink` escapes it.
        const address = this.redactIdentifier(value.raw);
        const isLink =
          /^https?:\S*$/i.test(address) && address.length <= value.maxLength && URL.canParse(address);
        return isLink ? markdownLink(new URL(address)) : codeSpan(this.#plainValue(value));
      }
    }
  }

  /** The first characters of an ID, or all of it if another shown ID begins with the same. */
  #shortId(value: Value): string {
    const full = this.#plainValue(value);
    const short = full.slice(0, shortIdLength);
    return [...this.#ids].some((other) => other !== full && other.startsWith(short)) ? full : short;
  }

  /** Redacts what looks like an ID as a value: it may contain a short secret by chance. A name or URL is redacted fully. */
  #id(raw: string, maxLength = 3000): string {
    const start = searched(raw);
    const redacted = /^[\w-]+$/.test(start)
      ? this.#redact.redactIdentifier(start)
      : this.#redact.redactText(start);
    const shown = sanitizeExcerpt(redacted, maxLength);
    this.#ids.add(shown);
    return shown;
  }

  #text(value: Value): string {
    const start = this.#starts.get(value) ?? searched(value.raw);
    this.#starts.set(value, start);
    return sanitizeExcerpt(this.#redact.redactText(start), value.maxLength);
  }

  #join(
    { parts }: Message,
    show: (value: Value) => string,
    showWords: (words: string) => string = String,
  ): string {
    return parts.map((part) => (typeof part === "string" ? showWords(part) : show(part))).join("");
  }
}

/**
 * Returns the part of a value that is searched for secrets. What will not be shown is removed before: after the cut, its
 * removal would move half a secret into the shown part.
 */
function searched(raw: string): string {
  const visible = removeInvisible(raw).replace(/\s{41,}/g, (blanks) => blanks.slice(0, 40));
  return visible.slice(0, maxSearchedLength);
}

/** Enough characters to distinguish most revisions of a deployment. */
const shortIdLength = 8;

/** Escapes markup in words of this action, such as the angle brackets of a placeholder. */
function escapeWords(words: string): string {
  return words.replace(/[\\`*_[\]<>~]/g, "\\$&");
}
