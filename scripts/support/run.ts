import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";

/** The project's root folder, wherever a script was started from. */
export const root = join(import.meta.dirname, "..", "..");

/** The project's tools come first on PATH, so that a script works the same without `npm run`. */
const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter) };

/**
 * Runs a command in the project's root, with its output on the terminal, and resolves with its exit code. @throws if it
 * can't be started or a signal ended it.
 */
export async function run(
  command: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", env: { ...env, ...variables } });
  const [code, signal] = await once(child, "exit");
  if (typeof code !== "number") throw new Error(`${command} was ended by ${signal}`);
  return code;
}

/** Like `run`. @throws if the command fails. */
export async function mustRun(
  command: string,
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
): Promise<void> {
  const code = await run(command, args, variables);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed with exit code ${code}`);
}

/** `run` for Jest, with what it needs for tests that are ES modules. On Windows a program of `.bin` can't be started. */
export async function runJest(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<number> {
  const NODE_OPTIONS = "--experimental-vm-modules --disable-warning=ExperimentalWarning";
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  return await run(process.execPath, [jest, ...args], { ...variables, NODE_OPTIONS });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
