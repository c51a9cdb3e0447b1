import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

/** The project's root folder, wherever a script was started from. */
export const root = join(import.meta.dirname, "..", "..");

/**
 * Runs a command in the project's root, its output going straight to the terminal, and tells its exit code.
 * The project's own tools come first on PATH, so that a script behaves alike under `npm run` and without it.
 * Rejects if the command cannot be started or a signal ended it.
 */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PATH: path, ...env },
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === null) reject(new Error(`${command} was ended by ${signal}`));
      else resolve(code);
    });
  });
}

/** Like {@link run}, but rejects unless the command succeeds. */
export async function mustRun(command: string, args: readonly string[]): Promise<void> {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed with exit code ${code}`);
}
