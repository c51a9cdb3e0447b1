import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../support/run.ts";
import type { Target } from "./target.ts";

/** The ref whose build fails on the emulator. */
export const failingRef = "broken";

/** An emulator in a process. */
export interface EmulatorProcess {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** Starts the emulator on a free port. @throws if it does not print where it listens. */
export async function startEmulator(statusSeconds: number): Promise<EmulatorProcess> {
  const timing = ["--status-seconds", String(statusSeconds)];
  const options = ["--port", "0", ...timing, "--fail-ref", `${failingRef}=BUILD_FAILED`];
  const child = spawn(process.execPath, ["emulator/cli.ts", ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  // However the demo ends, even by an error that nobody catches.
  process.once("exit", () => child.kill());
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exited.then(() => [""])]);
  const [, url] = /^emulator listening on (http:\S+)$/.exec(String(line)) ?? [];
  const close = async () => {
    child.kill();
    await exited;
  };
  if (url === undefined) {
    await close();
    throw new Error(`The emulator did not start: ${line || "it ended"}`);
  }
  return {
    close,
    target: {
      controlPlaneUrl: url,
      apiKey: "local-api-key",
      workspaceId: "00000000-0000-4000-8000-000000000000",
      integrationId: "local-integration",
      repoUrl: "https://github.com/example/agent",
      repoRef: "main",
      appConfigPath: "agent.json",
    },
  };
}
