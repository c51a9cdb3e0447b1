import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { WORKSPACE } from "../../emulator/support/usage.ts";
import { startUsage } from "./support/usage-scenario.ts";

test("everything that is wrong is told at once, an annotation each, before the first request", async () => {
  const { usage, emulator } = await startUsage();
  const run = await usage({
    base_url: "http://agents.example.com",
    api_key: "",
    workspace_ids: `${WORKSPACE},not-an-id`,
    start_time: "yesterday",
    end_time: "2026-02-30",
    group_by: "team",
    json_file: "same.txt",
    csv_file: "./x/../same.txt",
    max_traces: "1e6",
    request_timeout_seconds: "0",
    allow_http: "yes",
  });
  expect(run.succeeded).toBe(false);
  expect(emulator.requests).toEqual([]);
  expect(run.errors.map((text) => /^Input (\w+) /.exec(text)?.[1]).sort()).toEqual([
    "allow_http",
    "api_key",
    "base_url",
    "csv_file",
    "end_time",
    "group_by",
    "max_traces",
    "request_timeout_seconds",
    "start_time",
    "workspace_ids",
  ]);
  expect(run.summary).toContain("Input `group_by` has to be one of");
  expect(run.outputs).toEqual({});
});

test("a range is asked for in UTC, and an end that is a date includes that day", async () => {
  const { usage } = await startUsage();
  const run = await usage({ start_time: "2026-02-01T12:30:00+02:00", end_time: "2026-02-28" });
  expect(run.requests[0]?.query).toMatchObject({
    start_time: ["2026-02-01T10:30:00.000Z"],
    end_time: ["2026-03-01T00:00:00.000Z"],
  });
});

test("a range that ends before it starts is refused", async () => {
  const { usage, emulator } = await startUsage();
  const run = await usage({ start_time: "2026-02-02", end_time: "2026-02-01" });
  expect(run.errors).toEqual([expect.stringMatching(/^Input start_time .*has to be before end_time/)]);
  expect(emulator.requests).toEqual([]);
});

test("a file can't be a folder", async () => {
  const { usage, workspace } = await startUsage();
  mkdirSync(join(workspace, "reports"));
  const run = await usage({ json_file: "reports", csv_file: "elsewhere/" });
  expect(run.errors).toEqual([
    'Input json_file has to name a file, but "reports" is a folder or a device.',
    'Input csv_file has to name a file, but "elsewhere/" is a folder or a device.',
  ]);
});
