import { expect, test } from "@jest/globals";
import { OTHER_WORKSPACE, usageLine, WORKSPACE } from "../../emulator/support/usage.ts";
import { startUsage } from "./support/usage-scenario.ts";

const lines = [usageLine({ time: "2026-02-05T10:00:00Z", traces: 1000 })];

test("more than max_traces fails the step after everything was written", async () => {
  const { usage, files } = await startUsage(lines);
  const run = await usage({ max_traces: "999", json_file: "usage.json", csv_file: "usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringContaining("The total of 1,000 traces exceeds max_traces, which is 999."),
  ]);
  expect(files()).toEqual(["usage.csv", "usage.json"]);
  expect(run.outputs).toMatchObject({
    total_traces: "1000",
    json_file: expect.anything(),
    csv_file: expect.anything(),
  });
  expect(run.summary).toContain("## ❌ Usage: failed (1,000 traces)\n");
  expect(run.summary).toContain("| Budget (`max_traces`) | 999, exceeded by 1 |");
  expect(run.summary).toContain("| `Workspace` |");
});

test("as many as max_traces do not", async () => {
  const { usage } = await startUsage(lines);
  const run = await usage({ max_traces: "1000" });
  expect(run.succeeded).toBe(true);
  expect(run.summary).toContain("| Budget (`max_traces`) | 1,000, 100.0 % used |");
});

test("a budget of none is exceeded by one trace", async () => {
  const { usage } = await startUsage(lines);
  expect((await usage({ max_traces: "0" })).succeeded).toBe(false);
});

test("a range that starts before usage exists gets a notice", async () => {
  const { usage } = await startUsage(lines);
  const early = await usage({ start_time: "2026-01-04T23:59:59Z" });
  expect(early.succeeded).toBe(true);
  expect(early.notices).toEqual([expect.stringContaining("before 2026-01-05")]);
  expect(early.summary).toContain("> [!NOTE]\n> The range starts before `2026-01-05`");
  expect((await usage({ start_time: "2026-01-05" })).notices).toEqual([]);
});

test("by workspace, a workspace without a line gets a notice", async () => {
  const { usage } = await startUsage(lines);
  const ids = { workspace_ids: `${WORKSPACE},${OTHER_WORKSPACE}` };
  const run = await usage(ids);
  expect(run.succeeded).toBe(true);
  expect(run.notices).toEqual([
    expect.stringMatching(new RegExp(`No usage is shown for ${OTHER_WORKSPACE}: .*read access`)),
  ]);
  expect((await usage({ ...ids, group_by: "project" })).notices).toEqual([]);
});
