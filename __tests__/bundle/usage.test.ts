import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { usageExportPath } from "../../src/usage/schemas.ts";
import { runAction, startAction } from "../support/runner/run-action.ts";
import { serve } from "../support/serve.ts";

jest.setTimeout(60_000);

let emulator: Emulator;
let workspace: string;

beforeEach(async () => {
  emulator = await startEmulator({ sampleUsage: true, now: () => Date.parse("2026-03-02T09:00:00Z") });
  workspace = mkdtempSync(join(tmpdir(), "usage-bundle-"));
});

afterEach(async () => {
  await emulator.close();
  rmSync(workspace, { recursive: true });
});

function inputs(more: Record<string, string> = {}): Record<string, string> {
  return {
    base_url: emulator.url,
    api_key: emulator.apiKey,
    workspace_ids: emulator.workspaceId,
    start_time: "2026-02-01",
    end_time: "2026-02-28",
    group_by: "user",
    csv_file: "reports/usage.csv",
    ...more,
  };
}

test("a bundled usage step writes both files, outputs and summary, and hides the key", async () => {
  const run = await runAction({
    action: "usage",
    inputs: inputs({ json_file: "usage.json", max_traces: "1000000" }),
    workspace,
  });

  expect(run).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
  const csv = join(workspace, "reports", "usage.csv");
  expect(run.outputs).toMatchObject({ stride_days: "1", stride_hours: "0", buckets: "28", csv_file: csv });
  expect(run.jobOutputs).toEqual(run.outputs);
  const query = new URLSearchParams({
    start_time: "2026-02-01",
    end_time: "2026-03-01",
    workspace_ids: emulator.workspaceId,
    group_by: "user",
  });
  const response = await fetch(`${emulator.url}${usageExportPath}?${query}`, {
    headers: { "x-api-key": emulator.apiKey },
  });
  expect(readFileSync(csv)).toEqual(Buffer.from(await response.arrayBuffer()));
  const { usage } = JSON.parse(readFileSync(join(workspace, "usage.json"), "utf8"));
  const total = usage.reduce((sum: number, { traces }: { traces: number }) => sum + traces, 0);
  expect(run.outputs.total_traces).toBe(String(total));
  expect(run.summary).toContain("| `ada@agents.example` | `ada@agents.example` |");
  expect(run.summary).toContain("```mermaid");
  expect(run.log.annotations).toEqual([]);
  expect(run.stdout.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain(emulator.apiKey);
});

test("SIGINT during the CSV export ends a bundled usage step with totals, but without a file", async () => {
  const url = await serve((request, response) => {
    if (request.url?.includes("/export"))
      response.write(`Time Bucket Start,Traces\r\n${"x".repeat(500_000)}`);
    else response.end('{"stride":{"days":1,"hours":0},"usage":[]}');
  });

  const started = await startAction({ action: "usage", inputs: inputs({ base_url: url }), workspace });
  while (!readdirSync(workspace, { recursive: true }).some((name) => String(name).endsWith(".partial"))) {
    await delay(5);
  }
  started.sendSignal("SIGINT");
  const run = await started.result;

  expect(run).toMatchObject({ exitCode: 1, signal: null });
  expect(run.log.annotations).toEqual([
    expect.objectContaining({ level: "error", message: expect.stringContaining("The run was cancelled") }),
  ]);
  expect(run.outputs).toEqual({ total_traces: "0", buckets: "0", stride_days: "1", stride_hours: "0" });
  expect(run.summary).not.toContain("csv_file");
  expect(readdirSync(join(workspace, "reports"))).toEqual([]);
});
