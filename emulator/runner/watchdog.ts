/** The program that ends the emulator's process groups if the emulator is killed. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./watchdog-process.ts", import.meta.url));

type Process = ChildProcessByStdio<Writable, null, null>;

export class Watchdog {
  readonly #graceMs: number;
  readonly #groups = new Set<number>();
  #process: Process;
  #isClosed = false;

  /** @param graceMs the time between SIGTERM and SIGKILL */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
    this.#process = this.#start();
  }

  #start(): Process {
    // In a session of its own, so that a signal to the emulator's process group does not reach it.
    const started = spawn(process.execPath, [PROGRAM, String(this.#graceMs)], {
      detached: true,
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
    });
    // The line that could not be written is written again for the next one.
    started.stdin.on("error", () => {});
    started.once("exit", () => {
      if (this.#isClosed) return;
      this.#process = this.#start();
      for (const id of this.#groups) this.#process.stdin.write(`+${id}\n`);
    });
    return started;
  }

  /** Resolves once the group ends with the emulator. */
  async add(id: number): Promise<void> {
    this.#groups.add(id);
    await this.#write(`+${id}\n`);
  }

  async remove(id: number): Promise<void> {
    this.#groups.delete(id);
    await this.#write(`-${id}\n`);
  }

  #write(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.#process.stdin.write(line, () => resolve());
    });
  }

  /** Ends what is left, and the program. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    await ended;
  }
}
