/** What a program prints, line by line, on its way into the log of a revision. Never held as a whole. */
import { StringDecoder } from "node:string_decoder";
import { messageOf } from "../errors.ts";
import type { LogLine } from "../store/revision-logs.ts";
import type { OutputStream } from "./process-group.ts";
import type { Redactor } from "./redact.ts";

export interface OutputLogOptions {
  readonly append: (lines: readonly LogLine[]) => void;
  readonly redact: Redactor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** As many as a log keeps. */
const MAX_LINES = 10_000;
/** As much as a log keeps of a line, whose characters have a byte at least. */
const MAX_LINE_LENGTH = 4096;
const FLUSH_MS = 200;
/** A program that prints without end leaves most of the time to others. */
const DELAY_PER_FLUSH = 10;
const RETRY_MS = 1000;

interface StreamState {
  readonly decoder: StringDecoder;
  /** The beginning of a line whose end has not come yet. */
  rest: string;
}

/** Complete lines that were printed at one time. */
interface Lines {
  readonly timestampMs: number;
  readonly level: "INFO" | "ERROR";
  readonly text: string;
  readonly count: number;
}

export class OutputLog {
  readonly #options: OutputLogOptions;
  readonly #streams: Record<OutputStream, StreamState> = {
    stdout: { decoder: new StringDecoder(), rest: "" },
    stderr: { decoder: new StringDecoder(), rest: "" },
  };
  readonly #maxLength: number;
  #pending: Lines[] = [];
  #pendingCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushMs = FLUSH_MS;
  #isFailing = false;

  constructor(options: OutputLogOptions) {
    this.#options = options;
    // A secret is only found if it is not cut.
    this.#maxLength = MAX_LINE_LENGTH + options.redact.maxLength;
  }

  /** Adds what a program printed. What stands on the standard error is often no error: warnings, banners, progress. */
  write(stream: OutputStream, chunk: Buffer): void {
    const state = this.#streams[stream];
    const text = state.rest + state.decoder.write(chunk);
    const end = text.lastIndexOf("\n");
    state.rest = text.slice(end + 1, end + 1 + this.#maxLength);
    if (end !== -1) this.add("INFO", text.slice(0, end));
  }

  /** Adds one or more lines. */
  add(level: "INFO" | "ERROR", text: string): void {
    const lines = { timestampMs: this.#options.now(), level, text, count: countLines(text) };
    this.#pending.push(lines);
    this.#pendingCount += lines.count;
    for (let [oldest] = this.#pending; oldest !== undefined; [oldest] = this.#pending) {
      if (this.#pendingCount - oldest.count < MAX_LINES) break;
      this.#pending.shift();
      this.#pendingCount -= oldest.count;
    }
    this.#schedule();
  }

  /** Writes everything so far, the last line too if it has no end. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const state = this.#streams[stream];
      const last = state.rest + state.decoder.end();
      state.rest = "";
      if (last !== "") this.add("INFO", last);
    }
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const startedAt = performance.now();
    const lines = this.#pending.flatMap(({ text, ...facts }) =>
      text.split("\n").map((line) => ({ ...facts, line })),
    );
    try {
      this.#options.append(
        lines
          .slice(-MAX_LINES)
          .map(({ timestampMs, level, line }) => ({ timestampMs, level, message: this.#messageOf(line) })),
      );
      this.#pending = [];
      this.#pendingCount = 0;
      this.#isFailing = false;
      this.#flushMs = Math.max(FLUSH_MS, DELAY_PER_FLUSH * (performance.now() - startedAt));
    } catch (error) {
      // Such as a full disk. The lines stay pending.
      if (!this.#isFailing) console.error(`A log cannot be written: ${messageOf(error)}. Retrying.`);
      this.#isFailing = true;
      this.#flushMs = RETRY_MS;
      this.#schedule();
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#flushMs).unref();
  }

  #messageOf(line: string): string {
    // A carriage return starts the line anew, as progress bars do.
    const text = line.replace(/\r$/, "");
    const shown = text.slice(text.lastIndexOf("\r") + 1).slice(0, this.#maxLength);
    return this.#options.redact(shown).slice(0, MAX_LINE_LENGTH);
  }
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
