import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { StepLog, StepLogOptions } from "./step-log.ts";
import { StepLogReader } from "./step-log-reader.ts";

export interface ProcessEnd {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly log: StepLog;
}

/** Milliseconds the runner leaves a step after SIGINT, and then after SIGTERM (runner: ProcessInvoker.cs). */
export const runnerPauses = { afterSigint: 7_500, afterSigterm: 2_500 };

/** Cuts chunks into lines; a `\r` that ends a chunk ends a line, and a `\n` after it none. */
function lineReader(read: (line: string) => void): { take: (chunk: string) => void; end: () => void } {
  let rest = "";
  let afterReturn = false;
  return {
    take: (chunk) => {
      const text = rest + (afterReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk);
      afterReturn = chunk === "" ? afterReturn : chunk.endsWith("\r");
      const lines = text.split(/\r\n|\n|\r/u);
      rest = lines.pop() ?? "";
      lines.forEach(read);
    },
    end: () => {
      if (rest !== "") {
        read(rest);
      }
    },
  };
}

interface Waiter {
  readonly text: string | RegExp;
  readonly found: () => void;
  readonly missed: (reason: Error) => void;
}

/** One phase of an action as a running process, its stdout and stderr read as the runner reads them. */
export class StepProcess {
  /** Settles when the process has ended and its output is read; rejects if it ran past its time. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #reader: StepLogReader;
  #output = "";
  #over = false;
  #waiters: Waiter[] = [];

  /** Starts `node script` with nothing but `environment`; after `limit` milliseconds it is killed. */
  constructor(
    script: string,
    options: { cwd: string; environment: Record<string, string>; limit: number; log: StepLogOptions },
  ) {
    this.#reader = new StepLogReader(options.log);
    this.#child = spawn(process.execPath, [script], {
      cwd: options.cwd,
      env: options.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = this.#follow(options.limit);
    this.ended.catch(() => undefined);
  }

  sendSignal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Cancels as the runner does: SIGINT, then SIGTERM, then SIGKILL, each only if the step still runs. */
  async cancel(pauses: { afterSigint: number; afterSigterm: number } = runnerPauses): Promise<ProcessEnd> {
    this.sendSignal("SIGINT");
    await this.#endOr(pauses.afterSigint);
    if (!this.#over) {
      this.sendSignal("SIGTERM");
      await this.#endOr(pauses.afterSigterm);
    }
    if (!this.#over) {
      this.sendSignal("SIGKILL");
    }
    return this.ended;
  }

  /** Resolves once the output so far, stdout and stderr as they came, holds the text; rejects if it ends without. */
  waitForLog(text: string | RegExp): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ text, found: resolve, missed: reject });
    this.#settleWaiters();
    return promise;
  }

  async #endOr(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      this.ended,
      delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }

  async #follow(limit: number): Promise<ProcessEnd> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.sendSignal("SIGKILL");
    }, limit);
    try {
      const [stdout, stderr, end] = await Promise.all([
        this.#collect(this.#child.stdout),
        this.#collect(this.#child.stderr),
        exit(this.#child),
      ]);
      if (late) {
        throw new Error(`The action did not end within ${limit} ms. Its output:\n${this.#output}`);
      }
      return { ...end, stdout, stderr, log: this.#reader.log() };
    } finally {
      clearTimeout(timer);
      this.#over = true;
      this.#settleWaiters();
    }
  }

  async #collect(stream: Readable | null): Promise<string> {
    let all = "";
    const lines = lineReader((line) => this.#reader.read(line));
    for await (const chunk of stream?.setEncoding("utf8") ?? []) {
      const text = String(chunk);
      all += text;
      this.#output += text;
      lines.take(text);
      this.#settleWaiters();
    }
    lines.end();
    return all;
  }

  #settleWaiters(): void {
    const waiting = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiting) {
      const there =
        typeof waiter.text === "string" ? this.#output.includes(waiter.text) : waiter.text.test(this.#output);
      if (there) {
        waiter.found();
      } else if (this.#over) {
        waiter.missed(
          new Error(`The action ended without having printed ${waiter.text}. Its output:\n${this.#output}`),
        );
      } else {
        this.#waiters.push(waiter);
      }
    }
  }
}

function exit(child: ChildProcess): Promise<Pick<ProcessEnd, "exitCode" | "signal">> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<ProcessEnd, "exitCode" | "signal">>();
  child.once("error", reject);
  child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  return promise;
}
