/** The processes that agents and builds consist of. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The ids of the processes that work in a folder, or in one below it. */
export function processesIn(folder: string): number[] {
  const isInside = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isInside(name))
    .map(Number);
}

/** Whether a process is running. One that has ended, and that its parent has not asked for, is not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** A variable of the environment with which a process was started. */
export function variableOf(pid: number, name: string): string | undefined {
  const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}
