/** Ends programs that a run has started. */
import { execFileSync } from "node:child_process";

/**
 * Kills the processes whose command line contains the script and a path below the folder, as a machine does that runs out of
 * memory. @returns how many there were
 */
export function killProcesses(script: string, folder: string): number {
  const lines = execFileSync("ps", ["-e", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  const found = lines.filter((line) => line.includes(script) && line.includes(folder));
  for (const line of found) process.kill(Number.parseInt(line, 10), "SIGKILL");
  return found.length;
}
