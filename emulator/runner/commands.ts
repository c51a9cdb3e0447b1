/** The commands that build and start an agent. */
import type { Configuration } from "./configuration-file.ts";
import { installPackagesCommand } from "./package-manager.ts";

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
  /** That of the source. */
  readonly root: string;
  /** That of the configuration file. */
  readonly folder: string;
  /** Of the emulator, instead of everything else. */
  readonly buildCommand: string | undefined;
  /** Of the deployment. */
  readonly ownInstall: string | null;
  readonly ownBuild: string | null;
}

export interface BuildStep {
  readonly command: Command;
  readonly folder: string;
}

/** The commands of a build, in order. One that is given for a step makes the platform install in the root of the source. */
export function buildSteps({ root, folder, buildCommand, ownInstall, ownBuild }: BuildChoice): BuildStep[] {
  if (buildCommand !== undefined) return [{ command: shellCommand(buildCommand), folder }];
  const [install, build] = [ownInstall, ownBuild].map((text) =>
    text?.trim() ? shellCommand(text) : undefined,
  );
  const installFolder = install === undefined && build === undefined ? folder : root;
  const steps = [
    { command: install ?? installPackagesCommand(installFolder), folder: installFolder },
    { command: build, folder },
  ];
  return steps.flatMap(({ command, ...others }) => (command === undefined ? [] : [{ command, ...others }]));
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
  // Without reloading, no process that waits for changes outlives a server that has died.
  const address = ["--host", "127.0.0.1", "--port", String(port)];
  const options = ["dev", "--no-browser", "--no-reload", ...address, "--config", name];
  if (python !== undefined) return ["langgraph", ...options];
  if (!hasGraphs) return ["npm", "start"];
  // With the name of the package: another one could be called like the command.
  return ["npx", "--yes", "--package=@langchain/langgraph-cli", "--", "langgraphjs", ...options];
}
