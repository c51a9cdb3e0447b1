/** Runs a program to its end. */

import { once } from "node:events";
import { RunFailure } from "../errors.ts";
import { type Exit, ProcessGroup, type Program } from "./process-group.ts";
import type { Watchdog } from "./watchdog.ts";

export interface ProgramLimits {
  readonly watchdog: Watchdog;
  /** Ends the program early. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** The time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/**
 * How the program ended. What it leaves running in its group is ended too.
 * @throws {RunFailure} if it takes too long
 * @throws the reason of the signal
 */
export async function runProgram(program: Program, limits: ProgramLimits): Promise<Exit> {
  const { watchdog, signal, limitMs, graceMs } = limits;
  signal.throwIfAborted();
  const group = await ProcessGroup.start(program, watchdog);
  const limit = AbortSignal.timeout(limitMs);
  const stop = AbortSignal.any([signal, limit]);
  const finished = new AbortController();
  try {
    const stopped = once(stop, "abort", { signal: finished.signal }).catch(() => {});
    const exit = await Promise.race([group.exited, stopped.then(() => undefined)]);
    signal.throwIfAborted();
    if (exit === undefined) {
      throw new RunFailure(`${program.command[0]} took longer than ${limitMs / 1000} s.`);
    }
    return exit;
  } finally {
    finished.abort();
    await group.end(graceMs);
  }
}

/** How a program ended, as in "ended with code 1". */
export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}
