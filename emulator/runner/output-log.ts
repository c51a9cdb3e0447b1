/** What a program prints, line by line, on its way into the log of a revision. Never held as a whole. */
import { StringDecoder } from "node:string_decoder";
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
/** As much as a log keeps of a line. Four bytes of UTF-8 are at most two characters. */
const MAX_LINE_LENGTH = 4096;
const FLUSH_MS = 200;
/** Lines are parts of the text that was read, which stays in memory with them. */
const FLUSH_LENGTH = 8 * 1024 * 1024;

const LEVELS = { stdout: "INFO", stderr: "ERROR" } as const;

interface StreamState {
  readonly decoder: StringDecoder;
  /** The beginning of a line whose end has not come yet. */
  rest: string;
}

export class OutputLog {
  readonly #options: OutputLogOptions;
  readonly #streams: Record<OutputStream, StreamState> = {
    stdout: { decoder: new StringDecoder(), rest: "" },
    stderr: { decoder: new StringDecoder(), rest: "" },
  };
  readonly #maxLength: number;
  #pending: LogLine[] = [];
  #pendingLength = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutputLogOptions) {
    this.#options = options;
    // A secret is only found if it is not cut.
    this.#maxLength = MAX_LINE_LENGTH + options.redact.maxLength;
  }

  /** Adds what a program printed. */
  write(stream: OutputStream, chunk: Buffer): void {
    const state = this.#streams[stream];
    const lines = (state.rest + state.decoder.write(chunk)).split("\n");
    state.rest = (lines.pop() ?? "").slice(0, this.#maxLength);
    for (const line of lines) this.add(LEVELS[stream], line);
    this.#pendingLength += chunk.length;
    if (this.#pendingLength > FLUSH_LENGTH) this.#flush();
  }

  /** Adds a line. */
  add(level: "INFO" | "ERROR", line: string): void {
    // A carriage return starts the line anew, as progress bars do.
    const text = line.replace(/\r$/, "");
    const message = text.slice(text.lastIndexOf("\r") + 1).slice(0, this.#maxLength);
    this.#pending.push({ timestampMs: this.#options.now(), level, message });
    if (this.#pending.length >= 2 * MAX_LINES) this.#pending = this.#pending.slice(-MAX_LINES);
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Writes everything so far, the last line too if it has no end. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const state = this.#streams[stream];
      const last = state.rest + state.decoder.end();
      state.rest = "";
      if (last !== "") this.add(LEVELS[stream], last);
    }
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pendingLength = 0;
    const lines = this.#pending.slice(-MAX_LINES);
    this.#pending = [];
    if (lines.length === 0) return;
    const { append, redact } = this.#options;
    append(lines.map((line) => ({ ...line, message: redact(line.message).slice(0, MAX_LINE_LENGTH) })));
  }
}
