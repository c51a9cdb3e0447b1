import type { LogEntry } from "../../platform/revision-log.ts";
import type { RunRedactor } from "../../text/redact.ts";
import { sanitizeExcerpt, sanitizeIndented } from "../../text/sanitize.ts";

const maxLineLength = 2000;
/** In characters. Lines are redacted before they are cut to what is shown: half a secret would not be recognized. */
const maxRedactedLength = 20_000;
/** How many lines before those that are shown may hold the start of a secret that ends in them. */
const maxContextLines = 100;

/** A line of an entry before it is redacted. */
interface RawLine {
  /** Time and level, in the first line of an entry: no secret. */
  readonly label: string;
  readonly text: string;
}

/**
 * Turns the entries of a log into lines: redacted, sanitized and cut. A log may come in several pages: a secret that one
 * entry or page begins and the next one ends is redacted in both.
 */
export class LogLines {
  readonly #maxLines: number;
  readonly #redact: Pick<RunRedactor, "text" | "lines">;
  /** The end of what was returned. */
  #returned: readonly RawLine[] = [];
  /** Lines after that, which may hold the start of a secret. */
  #held: readonly RawLine[] = [];

  /** `maxLines`: how many lines of an entry are shown, after its first one. */
  constructor(maxLines: number, redact: Pick<RunRedactor, "text" | "lines">) {
    this.#maxLines = maxLines;
    this.#redact = redact;
  }

  /** The lines of the next entries, after those that were held back. The last ones may be held back now. */
  add(entries: readonly LogEntry[]): string[] {
    this.#held = [...this.#held, ...entries.flatMap((entry) => this.#rawLines(entry))];
    return this.#release("finished");
  }

  /** The lines that are held back, if nothing follows. */
  end(): string[] {
    return this.#release("all");
  }

  #release(which: "finished" | "all"): string[] {
    const [context, lines] = [this.#returned, this.#held];
    const redacted = this.#redact.lines([...context, ...lines].map(({ text }) => text));
    const count = which === "all" ? lines.length : Math.max(0, redacted.unfinishedFrom - context.length);
    this.#held = lines.slice(count);
    this.#returned = [...context, ...lines.slice(0, count)].slice(-maxContextLines);
    return lines
      .slice(0, count)
      .map(({ label }, index) => `${label}${lastRedraw(redacted.lines[context.length + index] ?? "")}`)
      .map((line) => sanitizeIndented(line.replaceAll("\t", "  "), maxLineLength))
      .filter((line) => line.trim() !== "");
  }

  #rawLines({ at, level, message }: LogEntry): RawLine[] {
    const [first, ...others] = message.split("\n").filter((line) => line.trim() !== "");
    if (first === undefined) return [];
    const time = at === undefined ? "" : `${new Date(at).toISOString().slice(11, 19)} `;
    const shownLevel = level === undefined ? "" : `${sanitizeExcerpt(this.#redact.text(level), 20)} `;
    return [first, ...others.slice(-this.#maxLines - maxContextLines)].map((line, index) => ({
      label: index === 0 ? `${time}${shownLevel}` : "",
      text: endOfRedraws(line),
    }));
  }
}

/** A line without what is surely not shown of it. */
function endOfRedraws(line: string): string {
  const drawn = line.replace(/\r+$/, "");
  return drawn.includes("\r") ? drawn.slice(-maxRedactedLength) : drawn.slice(0, maxRedactedLength);
}

/** What a terminal shows of a line that was drawn several times, such as a progress bar. */
function lastRedraw(line: string): string {
  return line.split("\r").findLast((drawn) => drawn.trim() !== "") ?? "";
}
