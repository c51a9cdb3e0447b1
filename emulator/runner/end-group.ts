/** Ends process groups. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 20;
/** How long SIGKILL may take, in milliseconds. */
const KILL_MS = 2000;

/**
 * Ends every process of a group, whether its leader is alive or not: SIGTERM, and SIGKILL to what is left after
 * `graceMs` milliseconds.
 */
export async function endGroup(id: number, graceMs: number): Promise<void> {
  signalGroup(id, "SIGTERM");
  if (await isGoneWithin(id, graceMs)) return;
  signalGroup(id, "SIGKILL");
  await isGoneWithin(id, KILL_MS);
}

async function isGoneWithin(id: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (isGroupAlive(id)) {
    if (performance.now() >= end) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

/**
 * Whether a process of the group is running. One that has ended stays in its group until its parent asks for it, and in a
 * container the parent of orphans may never do so.
 */
function isGroupAlive(id: number): boolean {
  if (!signalGroup(id, 0)) return false;
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isRunningIn(name, id));
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: after the name in brackets come state, parent, group. */
function isRunningIn(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , id] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(id) === group && state !== "Z" && state !== "X";
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Whether the group has a process. */
function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    return false;
  }
}
