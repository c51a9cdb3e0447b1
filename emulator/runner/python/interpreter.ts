/** Finds the Python that an agent needs. */
import { RunFailure } from "../../errors.ts";
import type { CommandRunner } from "../command-runner.ts";
import { isWantedVersion, probeCommand, pythonNames, uvFind } from "./python-commands.ts";

export interface Interpreter {
  readonly path: string;
  /** As in `3.11.7`. */
  readonly version: string;
}

/** @throws {RunFailure} if it isn't installed */
export async function findInterpreter(
  version: string | undefined,
  hasUv: boolean,
  commands: CommandRunner,
): Promise<Interpreter> {
  const known = hasUv ? await commands.read(uvFind(version)) : undefined;
  const names = [...(known === undefined ? [] : [known.trim()]), ...pythonNames(version)];
  for (const name of names) {
    const output = await commands.read(probeCommand(name));
    const [path, found] = output?.trim().split("\n") ?? [];
    if (path !== undefined && found !== undefined && isWantedVersion(found, version)) {
      return { path, version: found };
    }
  }
  throw new RunFailure(
    version === undefined
      ? "There is no Python 3.11 or later on this machine. An agent in Python needs one."
      : `python_version is ${version}, but there is no Python ${version} on this machine. Install it, or change python_version.`,
  );
}
