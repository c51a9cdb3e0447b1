import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../support/run.ts";
import type { Target } from "./target.ts";

/** The ref whose build fails on the emulator that the demo starts. */
export const failingRef = "broken";

/** A control plane to show the action on, and how to leave it. */
export interface ControlPlane {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** Starts the emulator on a free port. Rejects if it does not say where it listens. */
export async function startEmulator(): Promise<ControlPlane> {
  const options = ["--port", "0", "--status-seconds", "1", "--fail-ref", `${failingRef}=BUILD_FAILED`];
  const child = spawn(process.execPath, ["emulator/cli.ts", ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  // However the demo ends, also by an error that nobody caught.
  process.once("exit", () => child.kill());
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exited.then(() => [""])]);
  const [, url] = /^emulator listening on (http:\S+)$/.exec(String(line)) ?? [];
  const close = async () => {
    child.kill();
    await exited;
  };
  if (url === undefined) {
    await close();
    throw new Error(`the emulator did not start: ${line || "it ended"}`);
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
