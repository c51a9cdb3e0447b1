/** The processes of Linux, as /proc shows them. */
import { readdirSync, readFileSync } from "node:fs";

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The processes that were started with this variable, zombies left out. */
export function processesWith(variable: string): RunningProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    if (!read(pid, "environ").split("\0").includes(variable)) return [];
    const [, state, parent] = /\) (\S) (\d+) [^)]*$/.exec(read(pid, "stat")) ?? [];
    if (state === undefined || state === "Z") return [];
    return [
      { pid: Number(pid), parent: Number(parent), command: read(pid, "cmdline").replaceAll("\0", " ") },
    ];
  });
}

/** Empty if the process has ended meanwhile. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
