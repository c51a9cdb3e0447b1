import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../support/run.ts";

/** An emulator in a process. It speaks the dialect of LangSmith Deployment, and runs what is deployed. */
export interface EmulatorProcess {
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Of the integration that may read any repository. */
  readonly integrationId: string;
  readonly close: () => Promise<void>;
}

export interface EmulatorOptions {
  /** An existing folder for checkouts. */
  readonly workFolder: string;
  /** Besides those of this process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts the emulator on a free port. @throws if it does not print where it listens. */
export async function startEmulator({ workFolder, variables }: EmulatorOptions): Promise<EmulatorProcess> {
  const options = ["--port", "0", "--platform", "langsmith", "--run", "--work-dir", workFolder];
  const child = spawn(process.execPath, ["emulator/cli.ts", ...options], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  // However the demo ends, even by an error that nobody catches.
  const kill = () => child.kill();
  process.once("exit", kill);
  const close = async () => {
    child.kill();
    await exited;
    process.off("exit", kill);
  };
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exited.then(() => [""])]);
  const [, url] = /^emulator listening on (http:\S+)$/.exec(String(line)) ?? [];
  if (url === undefined) {
    await close();
    throw new Error(`The emulator did not start: ${line || "it ended"}`);
  }
  return {
    url,
    apiKey: "local-api-key",
    workspaceId: "00000000-0000-4000-8000-000000000000",
    integrationId: "00000000-0000-4000-8000-000000000002",
    close,
  };
}
