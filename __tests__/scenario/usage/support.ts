import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { usageFile, WORKSPACE } from "../../../emulator/__tests__/support/usage.ts";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { USAGE_EXPORT_PATH } from "../../../src/usage/schemas.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { type DeployRun, finish, type Inputs } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

export interface UsageScenario {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  /** The directory that relative paths start from. */
  readonly workspace: string;
  /** Runs the action for `WORKSPACE` on the emulator; `inputs` replace or add to what that needs. */
  usage(inputs?: Inputs): Promise<DeployRun>;
  start(inputs?: Inputs): { readonly context: RecordingContext; readonly ended: Promise<DeployRun> };
  /** Every file in the workspace, hidden ones too. */
  files(): string[];
}

const open: { readonly emulator: Emulator; readonly folder: string }[] = [];

afterEach(async () => {
  for (const { emulator, folder } of open.splice(0)) {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** 2 March 2026, 09:00 in UTC. */
const now = Date.parse("2026-03-02T09:00:00Z");

/**
 * An emulator that has imported these usage lines, and the usage action in this process, which talks to it over real
 * HTTP. Both, and all files, are removed after the test.
 */
export async function startUsage(lines: readonly unknown[] = []): Promise<UsageScenario> {
  const folder = mkdtempSync(join(tmpdir(), "usage-scenario-"));
  const usageLines = join(folder, "usage.jsonl");
  writeFileSync(usageLines, usageFile(lines));
  const clock = new VirtualClock(now);
  const emulator = await startEmulator({ now: () => clock.now(), usageFile: usageLines });
  open.push({ emulator, folder });
  const workspace = mkdtempSync(join(folder, "workspace-"));
  const start: UsageScenario["start"] = (inputs = {}) => {
    const needed = { base_url: emulator.url, api_key: emulator.apiKey, workspace_ids: WORKSPACE };
    const variables = Object.entries({ ...needed, ...inputs }).map(([name, value]) => [
      `INPUT_${name.toUpperCase()}`,
      value,
    ]);
    const environment = { GITHUB_WORKSPACE: workspace, ...Object.fromEntries(variables) };
    const context = recordingContext(environment, clock);
    return { context, ended: finish({ context, emulator, clock, action: "usage" }) };
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

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const emptyReport = '{"stride":{"days":1,"hours":0},"usage":[]}';
export const csvHeader =
  "Time Bucket Start,Time Bucket End,Workspace ID,Workspace Name,Project ID,Project Name,User ID,User Email,API Key Short Key,Traces\r\n";

/** A usage API whose responses the test writes; by default an empty report and an empty export. Closed after the test. */
export async function startUsageServer({
  report = (response) => void response.end(emptyReport),
  csv = (response) => void response.end(csvHeader),
}: {
  readonly report?: Respond;
  readonly csv?: Respond;
}): Promise<{ readonly url: string; readonly requests: readonly IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    requests.push(request);
    const isExport = request.url?.includes(USAGE_EXPORT_PATH) ?? false;
    (isExport ? csv : report)(response, request);
  });
  return { url, requests };
}
