import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface ProcessFigures {
  readonly exitCode: number | null;
  readonly milliseconds: number;
  /** Of the resident memory; undefined unless it was measured. */
  readonly peakMegabytes: number | undefined;
}

/** Runs node with these arguments to its end, without its output. */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  withMemory = false,
): Promise<ProcessFigures> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const probe = withMemory ? memoryProbe(folder) : [];
    const began = performance.now();
    const child = spawn(process.execPath, [...probe, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: "ignore",
    });
    const [exitCode]: [number | null] = await exitOf(child);
    const milliseconds = performance.now() - began;
    const peakMegabytes = withMemory ? Number(readFileSync(join(folder, "peak"), "utf8")) / 1024 : undefined;
    return { exitCode, milliseconds, peakMegabytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exitOf(child: ChildProcess): Promise<[number | null]> {
  const [code] = await once(child, "exit");
  return [typeof code === "number" ? code : null];
}

/** The peak resident memory of a process, in kilobytes: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
const peakLine = /^VmHWM:\s+(\d+) kB$/m;

/** The peak resident memory of a running process, in megabytes; undefined on a system without /proc. */
export async function peakMegabytes({ pid }: ChildProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = peakLine.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/**
 * Node arguments that make a process write its peak memory, in kilobytes, when it ends: `VmHWM`, or on a system without
 * /proc `maxRSS`, which includes memory of the parent process.
 */
function memoryProbe(folder: string): string[] {
  const script = join(folder, "probe.mjs");
  const peak = JSON.stringify(join(folder, "peak"));
  writeFileSync(
    script,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const status = "/proc/self/status";
const shown = () => (existsSync(status) ? ${peakLine}.exec(readFileSync(status, "utf8"))?.[1] : undefined);
process.on("exit", () => writeFileSync(${peak}, String(shown() ?? process.resourceUsage().maxRSS)));
`,
  );
  return ["--import", pathToFileURL(script).href];
}
