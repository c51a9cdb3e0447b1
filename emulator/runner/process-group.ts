/** A program in a process group of its own, which ends as a whole and with the emulator. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { RunFailure } from "../errors.ts";
import { endGroup } from "./end-group.ts";
import type { Watchdog } from "./watchdog.ts";

export type OutputStream = "stdout" | "stderr";

export interface Program {
  /** The name of the program and its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onOutput: (stream: OutputStream, chunk: Buffer) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

// The program starts only after the watchdog knows its group. If the emulator is killed before that, `read` fails.
// The arguments are passed on as they are: the shell expands "$@" to them without interpreting them.
const GATE = 'read -r _ && exec "$@" </dev/null';

/** How long output may follow the end of the group, in milliseconds: another process may hold the other end. */
const LAST_OUTPUT_MS = 500;

export class ProcessGroup {
  /** The end of the group's leader. Other processes of the group may still be running. */
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #id: number;
  readonly #watchdog: Watchdog;
  readonly #outputEnded: Promise<unknown>;
  #ended: Promise<void> | undefined;

  private constructor(child: ChildProcessWithoutNullStreams, id: number, watchdog: Watchdog) {
    this.#child = child;
    this.#id = id;
    this.#watchdog = watchdog;
    this.exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    this.#outputEnded = once(child, "close");
  }

  /** Starts a program. Rejects if the folder is missing or the system refuses. */
  static async start(program: Program, watchdog: Watchdog): Promise<ProcessGroup> {
    const { onOutput } = program;
    const child = spawnGated(program);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk) => onOutput(stream, chunk));
    }
    child.stdin.on("error", () => {});
    const { pid } = child;
    if (pid === undefined) throw await startError(child);
    const group = new ProcessGroup(child, pid, watchdog);
    await watchdog.add(pid);
    child.stdin.end("start\n");
    return group;
  }

  /** Ends all processes of the group; resolves when none is left. `graceMs` is the time until SIGKILL. */
  end(graceMs: number): Promise<void> {
    this.#ended ??= this.#end(graceMs);
    return this.#ended;
  }

  async #end(graceMs: number): Promise<void> {
    await endGroup(this.#id, graceMs);
    await this.exited;
    const timer = new AbortController();
    await Promise.race([
      this.#outputEnded,
      setTimeout(LAST_OUTPUT_MS, undefined, { signal: timer.signal }).catch(() => {}),
    ]);
    timer.abort();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await this.#watchdog.remove(this.#id);
  }
}

/** @throws {RunFailure} if the environment is too large */
function spawnGated({ command, folder, env }: Program): ChildProcessWithoutNullStreams {
  try {
    return spawn("/bin/sh", ["-c", GATE, "sh", ...command], { cwd: folder, env, detached: true });
  } catch (cause) {
    const isTooLarge = String(cause).includes("E2BIG");
    // https://man7.org/linux/man-pages/man2/execve.2.html: all of it together, and each variable, has a limit.
    throw isTooLarge ? new RunFailure("The secrets are too large for the environment of a process.") : cause;
  }
}

async function startError(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  const [error] = await once(child, "error", {}).catch((thrown: unknown) => [thrown]);
  return error;
}
