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

/**
 * The time that the runner gives a step after SIGINT, and then after SIGTERM, in milliseconds:
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
export const cancelDelays = { afterSigint: 7_500, afterSigterm: 2_500 };

/** Cuts chunks into lines. A `\r` at the end of a chunk ends a line, and a `\n` after it does not end another. */
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
      if (rest !== "") read(rest);
    },
  };
}

interface Waiter {
  readonly text: string | RegExp;
  readonly found: () => void;
  readonly notFound: (reason: Error) => void;
}

/** One phase of an action as a process, its stdout and stderr read as the runner reads them. */
export class StepProcess {
  /** Resolves when the process has ended and its output is read; rejects if it took too long. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #reader: StepLogReader;
  #output = "";
  #hasEnded = false;
  #waiters: Waiter[] = [];

  /** Starts `node script` with only this environment. It is killed after `limit` milliseconds. */
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

  /** Cancels like the runner: SIGINT, then SIGTERM, then SIGKILL, each only if the step is still running. */
  async cancel(delays: { afterSigint: number; afterSigterm: number } = cancelDelays): Promise<ProcessEnd> {
    this.sendSignal("SIGINT");
    await this.#endOr(delays.afterSigint);
    if (!this.#hasEnded) {
      this.sendSignal("SIGTERM");
      await this.#endOr(delays.afterSigterm);
    }
    if (!this.#hasEnded) this.sendSignal("SIGKILL");
    return this.ended;
  }

  /** Resolves once the output, stdout and stderr together, contains the text; rejects if the process ends without it. */
  waitForLog(text: string | RegExp): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ text, found: resolve, notFound: reject });
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
      if (late) throw new Error(`The action did not end within ${limit} ms. Its output:\n${this.#output}`);
      return { ...end, stdout, stderr, log: this.#reader.log() };
    } finally {
      clearTimeout(timer);
      this.#hasEnded = true;
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
      const isFound =
        typeof waiter.text === "string" ? this.#output.includes(waiter.text) : waiter.text.test(this.#output);
      if (isFound) {
        waiter.found();
      } else if (this.#hasEnded) {
        waiter.notFound(
          new Error(`The action ended without printing ${waiter.text}. Its output:\n${this.#output}`),
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
