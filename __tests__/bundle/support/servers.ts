import { expect, test } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/index.ts";
import { type GitHubOptions, type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";

/** A control plane and a GitHub with an open pull request, 7. */
export interface Servers {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  /** The inputs for the address and the key of the control plane. */
  readonly access: Readonly<Record<"control_plane_url" | "api_key" | "workspace_id", string>>;
}

export interface ServerOptions {
  readonly emulator?: EmulatorOptions;
  readonly github?: GitHubOptions;
}

/** A test with servers of its own, which runs beside the others of its file. */
export function serverTest(
  title: string,
  options: ServerOptions,
  play: (servers: Servers) => Promise<void>,
): void {
  test.concurrent(title, () => withServers(options, play), timeLimitMs);
}

/**
 * Runs `play` with servers of its own, in real time. Closes them, and expects that GitHub describes every request that it
 * got.
 */
export async function withServers(
  options: ServerOptions,
  play: (servers: Servers) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator({ statusSeconds: 0, ...options.emulator });
  const github = await startGitHub({ files: { "app/config.json": "{}" }, ...options.github });
  github.pullRequests.open({ number: 7 });
  const { url, apiKey, workspaceId } = emulator;
  const access = { control_plane_url: url, api_key: apiKey, workspace_id: workspaceId };
  try {
    await play({ emulator, github, access });
    expect(github.violations).toEqual([]);
  } finally {
    await emulator.close();
    await github.close();
  }
}

/** For a test that runs processes, several tests at the same time. In milliseconds. */
export const timeLimitMs = 60_000;
