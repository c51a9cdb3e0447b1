/** Runs the commands of a build in one folder, with nothing of the emulator's environment but what a program needs. */

import { RunFailure } from "../errors.ts";
import { type Command, commandText } from "./commands.ts";
import { baseEnvironment } from "./environment.ts";
import type { OutputLog } from "./output-log.ts";
import type { OutputStream } from "./process-group.ts";
import { describeExit, type ProgramLimits, runProgram } from "./run-program.ts";

export interface CommandOptions extends ProgramLimits {
  readonly folder: string;
  readonly log: OutputLog;
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html: the status of a command that isn't found. */
const NOT_FOUND = 127;

export class CommandRunner {
  readonly #options: CommandOptions;

  constructor(options: CommandOptions) {
    this.#options = options;
  }

  /**
   * Runs a command, with its output in the log of the build.
   * @param variables besides those that every command gets
   * @throws {RunFailure} if it fails
   */
  async run(command: Command, variables: NodeJS.ProcessEnv = {}): Promise<void> {
    const { log } = this.#options;
    log.add("INFO", `Running ${commandText(command)}`);
    const exit = await this.#run(command, variables, (stream, chunk) => log.write(stream, chunk));
    if (exit.code === 0) return;
    const text = commandText(command);
    const isMissing = exit.code === NOT_FOUND && text.startsWith(`${command[0]} `);
    throw new RunFailure(
      isMissing
        ? `${command[0]} is not installed on this machine, but the build needs it: ${text}`
        : `The build command ${describeExit(exit)}: ${text}`,
    );
  }

  /** What a command prints on its standard output; undefined if it fails. Nothing of it is logged. */
  async read(command: Command): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    const exit = await this.#run(command, {}, (stream, chunk) => {
      if (stream === "stdout") chunks.push(chunk);
    });
    return exit.code === 0 ? Buffer.concat(chunks).toString() : undefined;
  }

  #run(
    command: Command,
    variables: NodeJS.ProcessEnv,
    onOutput: (stream: OutputStream, chunk: Buffer) => void,
  ) {
    const { folder } = this.#options;
    const env = { ...baseEnvironment(process.env), ...variables };
    return runProgram({ command, folder, env, onOutput }, this.#options);
  }
}
