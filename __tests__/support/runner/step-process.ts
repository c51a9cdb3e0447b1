import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

/** One phase of an action as a process. */
export interface StepProcess {
  /** Resolves when the process has ended and its output is read; rejects if it took too long. */
  readonly ended: Promise<ProcessEnd>;
  sendSignal(signal: NodeJS.Signals): void;
  /** Cancels like the runner: SIGINT, then SIGTERM, then SIGKILL, each only if the step is still running. */
  cancel(): Promise<ProcessEnd>;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** Milliseconds after which the process is killed. */
  readonly limit: number;
  readonly log: StepLogOptions;
}

/**
 * The time that the runner gives a step after SIGINT, and then after SIGTERM, in milliseconds:
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
export const cancelDelays = { SIGINT: 7_500, SIGTERM: 2_500 } as const;

/** Starts `node script` with only this environment. Its stdout and stderr are read as the runner reads them. */
export function startProcess(script: string, { cwd, environment, limit, log }: ProcessOptions): StepProcess {
  const child = spawn(process.execPath, [script], {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = follow(child, new StepLogReader(log), limit);
  ended.catch(() => undefined);
  return {
    ended,
    sendSignal: (signal) => void child.kill(signal),
    async cancel() {
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        child.kill(signal);
        await Promise.race([ended, delay(cancelDelays[signal], undefined, { ref: false })]);
      }
      child.kill("SIGKILL");
      return await ended;
    },
  };
}

async function follow(child: ChildProcess, reader: StepLogReader, limit: number): Promise<ProcessEnd> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, limit);
  try {
    const [stdout, stderr, [exitCode, signal]] = await Promise.all([
      collect(child.stdout, reader),
      collect(child.stderr, reader),
      once(child, "exit"),
    ]);
    if (isLate) throw new Error(`The action did not end within ${limit} ms. Its output:\n${stdout}${stderr}`);
    return { exitCode, signal, stdout, stderr, log: reader.log() };
  } finally {
    clearTimeout(timer);
  }
}

async function collect(stream: Readable | null, reader: StepLogReader): Promise<string> {
  let all = "";
  const lines = lineReader((line) => reader.read(line));
  for await (const chunk of stream?.setEncoding("utf8") ?? []) {
    all += String(chunk);
    lines.take(String(chunk));
  }
  lines.end();
  return all;
}

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
