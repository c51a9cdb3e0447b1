/** The emulator as a program. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../cli.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface EmulatorProcess {
  readonly firstLine: string;
  readonly pid: number;
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  /** Sends a signal to the process group, which has to be the emulator's own (`detached`), and waits likewise. */
  endGroup(signal: NodeJS.Signals): Promise<Ended>;
}

/** A running emulator on a free port. */
export function spawnEmulator(...args: string[]): Promise<EmulatorProcess> {
  return spawnEmulatorWith({}, ...args);
}

/** A running emulator on a free port, with options for its process. */
export async function spawnEmulatorWith(options: SpawnOptions, ...args: string[]): Promise<EmulatorProcess> {
  const { child, ended } = run(["--port", "0", ...args], options);
  const firstLine = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([line]) => String(line)),
    ended.then(({ stderr }) => Promise.reject(new Error(`the emulator ended: ${stderr}`))),
  ]);
  return {
    firstLine,
    pid: child.pid ?? 0,
    url: firstLine.replace(/^emulator listening on /, ""),
    apiKey: "local-api-key",
    workspaceId: "00000000-0000-4000-8000-000000000000",
    end(signal) {
      child.kill(signal);
      return ended;
    },
    endGroup(signal) {
      process.kill(-(child.pid ?? 0), signal);
      return ended;
    },
  };
}

/** The end of an emulator that refuses to start. */
export function runEmulator(...args: string[]): Promise<Ended> {
  return run(args).ended;
}

function run(args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(process.execPath, [CLI, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  return { child, ended: endOf(child) };
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    output.stderr += String(chunk);
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, ...output };
}
