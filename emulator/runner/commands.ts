/** The commands that build and start an agent. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "./configuration-file.ts";

/** The name of a program and its arguments. */
export type Command = readonly string[];

/** A command as users write it, which a shell interprets. */
function shellCommand(text: string): Command {
  return ["/bin/sh", "-c", text];
}

/** A command as people read it. */
export function commandText(command: Command): string {
  return command[0] === "/bin/sh" ? (command[2] ?? "") : command.join(" ");
}

export interface BuildChoice {
  /** Of the emulator, instead of everything else. */
  readonly buildCommand: string | undefined;
  /** Of the deployment, in order. */
  readonly ownCommands: readonly (string | null)[];
}

const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json"];

/** The commands of a build, in order. */
export function buildCommands(folder: string, { buildCommand, ownCommands }: BuildChoice): Command[] {
  if (buildCommand !== undefined) return [shellCommand(buildCommand)];
  const own = ownCommands.filter((text) => text !== null && text.trim() !== "");
  if (own.length > 0) return own.map((text) => shellCommand(String(text)));
  const has = (name: string) => existsSync(join(folder, name));
  if (LOCK_FILES.some(has)) return [["npm", "ci"]];
  return has("package.json") ? [["npm", "install"]] : [];
}

/**
 * The command that starts an agent. By default it is the vendor's server for local use if the configuration has graphs or
 * is for Python (https://docs.langchain.com/langgraph-platform/cli), else `npm start`.
 */
export function startCommand(
  { hasGraphs, python, name }: Configuration,
  port: number,
  given: string | undefined,
): Command {
  if (given !== undefined) return shellCommand(given);
  const options = ["dev", "--no-browser", "--host", "127.0.0.1", "--port", String(port), "--config", name];
  if (python !== undefined) return ["langgraph", ...options, "--no-reload"];
  if (!hasGraphs) return ["npm", "start"];
  // With the name of the package: another one could be called like the command.
  return ["npx", "--yes", "--package=@langchain/langgraph-cli", "--", "langgraphjs", ...options];
}
