import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { usageFile, WORKSPACE } from "../../../emulator/__tests__/support/usage.ts";
import { usageExportPath } from "../../../src/usage/schemas.ts";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/**
 * A scenario whose emulator has imported these usage lines, with a folder for the files of the usage action. `usage` runs that
 * for `WORKSPACE`; inputs are added to those that this needs, or in their place.
 */
export async function startUsage(lines: readonly unknown[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "usage-scenario-"));
  folders.push(folder);
  const usageLines = join(folder, "usage.jsonl");
  writeFileSync(usageLines, usageFile(lines));
  // Time passes while a request is in flight.
  const scenario = await startScenario({ usageFile: usageLines, clock: new VirtualClock() });
  const { emulator, clock } = scenario;
  const workspace = mkdtempSync(join(folder, "workspace-"));
  const start = (inputs: Inputs = {}) => {
    const needed = { base_url: emulator.url, workspace_ids: WORKSPACE };
    return scenario.start("usage", {
      inputs: { ...needed, ...inputs },
      env: { GITHUB_WORKSPACE: workspace },
    });
  };
  return {
    emulator,
    clock,
    /** The directory that relative paths start from. */
    workspace,
    start,
    usage: (inputs?: Inputs) => start(inputs).ended,
    until: scenario.until,
    /** Every file in the workspace, hidden ones too. */
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
    const isExport = request.url?.includes(usageExportPath) ?? false;
    (isExport ? csv : report)(response, request);
  });
  return { url, requests };
}
