import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../emulator/server.ts";
import { usageFile, WORKSPACE } from "../../../emulator/support/usage.ts";
import { type RecordingContext, recordingContext } from "../../../support/recording-context.ts";
import { type DeployRun, finish, type Inputs } from "../../../support/scenario.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

export interface StartedUsage {
  readonly context: RecordingContext;
  readonly ended: Promise<DeployRun>;
}

export interface UsageScenario {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  /** The folder at which the files' paths start. */
  readonly workspace: string;
  /** Runs the action for `WORKSPACE` on the emulator, with these inputs beside or in place of what that takes. */
  usage(inputs?: Inputs): Promise<DeployRun>;
  start(inputs?: Inputs): StartedUsage;
  /** Every file below the workspace, hidden ones too. */
  files(): string[];
}

interface Open {
  readonly emulator: Emulator;
  readonly folder: string;
}

const open: Open[] = [];

afterEach(async () => {
  for (const { emulator, folder } of open.splice(0)) {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** 2 March 2026, 09:00 in UTC. */
const now = Date.parse("2026-03-02T09:00:00Z");

/**
 * An emulator that has loaded these usage lines, and the usage action in this process, talking to it over real HTTP.
 * Both are gone after the test, and what was written with them.
 */
export async function startUsage(
  lines: readonly unknown[] = [],
  options: EmulatorOptions = {},
): Promise<UsageScenario> {
  const folder = mkdtempSync(join(tmpdir(), "usage-scenario-"));
  const usageLines = join(folder, "usage.jsonl");
  writeFileSync(usageLines, usageFile(lines));
  const clock = new VirtualClock(now);
  const emulator = await startEmulator({ now: () => clock.now(), usageFile: usageLines, ...options });
  open.push({ emulator, folder });
  const workspace = mkdtempSync(join(folder, "workspace-"));
  const start = (inputs: Inputs = {}): StartedUsage => {
    const given = {
      base_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_ids: WORKSPACE,
      ...inputs,
    };
    const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
    const context = recordingContext(
      { GITHUB_WORKSPACE: workspace, ...Object.fromEntries(variables) },
      clock,
    );
    return { context, ended: finish(context, emulator, clock, "usage") };
  };
  return {
    emulator,
    clock,
    workspace,
    start,
    usage: (inputs) => start(inputs).ended,
    files: () =>
      readdirSync(workspace, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(workspace.length + 1))
        .sort(),
  };
}
