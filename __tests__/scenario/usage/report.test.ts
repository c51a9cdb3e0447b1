import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { parseCsv } from "../../../emulator/__tests__/support/csv-parser.ts";
import { OTHER_WORKSPACE, usageLine, WORKSPACE } from "../../../emulator/__tests__/support/usage.ts";
import { dimensionKeys, GroupBySchema, UsageResponseSchema, usagePath } from "../../../src/usage/schemas.ts";
import { startUsage, startUsageServer } from "./support.ts";

const lines = [
  usageLine({ time: "2026-02-03T10:00:00Z", project_id: "p-1", project_name: "Support bot", traces: 30 }),
  usageLine({ time: "2026-02-05T10:00:00Z", project_id: "p-1", project_name: "Support bot", traces: 30 }),
  usageLine({ time: "2026-02-05T11:00:00Z", project_id: "p-2", project_name: "Research", traces: 40 }),
  usageLine({
    time: "2026-02-05T11:00:00Z",
    workspace_id: OTHER_WORKSPACE,
    workspace_name: "Other",
    traces: 900,
  }),
];

test("a usage report requests the last 30 days by workspace by default, with the key alone", async () => {
  const { usage } = await startUsage(lines);

  const run = await usage();

  expect(run.succeeded).toBe(true);
  expect(run.requests).toHaveLength(1);
  expect(run.requests[0]).toMatchObject({
    method: "GET",
    path: usagePath,
    status: 200,
    query: {
      start_time: ["2026-01-31T09:00:00.000Z"],
      end_time: ["2026-03-02T09:00:00.000Z"],
      workspace_ids: [WORKSPACE],
      group_by: ["workspace"],
    },
  });
  const { headers } = run.requests[0] ?? {};
  expect(headers).toHaveProperty("x-api-key");
  expect(headers).not.toHaveProperty("x-tenant-id");
  expect(headers).not.toHaveProperty("authorization");
});

test("a usage report requests its range in UTC, with the whole last day, and every workspace", async () => {
  const { usage } = await startUsage(lines);

  const run = await usage({
    start_time: "2026-02-01T12:30:00+02:00",
    end_time: "2026-02-28",
    workspace_ids: `${WORKSPACE},\n\n  ${OTHER_WORKSPACE}\r\n`,
  });

  expect(run.requests[0]?.query).toMatchObject({
    start_time: ["2026-02-01T10:30:00.000Z"],
    end_time: ["2026-03-01T00:00:00.000Z"],
    workspace_ids: [WORKSPACE, OTHER_WORKSPACE],
  });
  expect(run.outputs.total_traces).toBe("1000");
});

test("the outputs of a usage report are the total, the number of time buckets and their length", async () => {
  const { usage } = await startUsage(lines);

  const daily = await usage({ start_time: "2026-02-01", end_time: "2026-02-28" });
  const hourly = await usage({ start_time: "2026-02-05T10:00Z", end_time: "2026-02-05T12:00Z" });

  expect(daily.outputs).toEqual({ total_traces: "100", buckets: "2", stride_days: "1", stride_hours: "0" });
  expect(hourly.outputs).toEqual({ total_traces: "70", buckets: "2", stride_days: "0", stride_hours: "1" });
});

test("a usage report without usage succeeds with a total of 0", async () => {
  const { usage } = await startUsage();

  const run = await usage({ group_by: "user" });

  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({ total_traces: "0", buckets: "0" });
  expect(run.summary).toContain("## ✅ Usage: 0 traces");
  expect(run.summary).not.toContain("mermaid");
});

test("the summary of a usage report shows the largest totals first, and a bar for every day between them", async () => {
  const { usage } = await startUsage(lines);

  const run = await usage({ group_by: "project", start_time: "2026-02-02", end_time: "2026-02-06" });

  expect(run.summary).toContain("## ✅ Usage: 100 traces");
  expect(run.summary).toContain(
    [
      "| Project | Project ID | Traces |",
      "|:---|:---|---:|",
      "| `Support bot` | `p-1` | 60 |",
      "| `Research` | `p-2` | 40 |",
    ].join("\n"),
  );
  expect(run.summary).toContain('x-axis ["2026-02-03", "2026-02-04", "2026-02-05"]');
  expect(run.summary).toContain("bar [30, 0, 70]");
});

test("base_url may have a path and a trailing slash", async () => {
  const { url, requests } = await startUsageServer({});
  const { usage } = await startUsage();

  const run = await usage({ base_url: `${url}/smith/` });

  expect(run.succeeded).toBe(true);
  expect(requests.map((request) => request.url?.split("?")[0])).toEqual([`/smith${usagePath}`]);
});

test("a total above max_traces fails the step after all files were written", async () => {
  const { usage, files } = await startUsage(lines);

  const run = await usage({ max_traces: "99", json_file: "usage.json", csv_file: "usage.csv" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/\b100 traces\b.*max_traces.*\b99\b/)]);
  expect(files()).toEqual(["usage.csv", "usage.json"]);
  expect(Object.keys(run.outputs)).toEqual(expect.arrayContaining(["total_traces", "json_file", "csv_file"]));
  expect(run.summary).toContain("## ❌ Usage: failed\n");
  expect(run.summary).toContain("| Budget (`max_traces`) | 99 |");
  expect(run.summary).toContain("| `Workspace` |");
});

test("a total equal to max_traces succeeds, and 0 is a budget", async () => {
  const { usage } = await startUsage(lines);

  const exact = await usage({ max_traces: "100" });
  const none = await usage({ max_traces: "0" });

  expect(exact.succeeded).toBe(true);
  expect(none.succeeded).toBe(false);
});

test("a requested workspace without usage has a notice, if usage is grouped by workspace", async () => {
  const idle = "33333333-3333-4333-8333-333333333333";
  const { usage } = await startUsage(lines);

  const byWorkspace = await usage({ workspace_ids: `${WORKSPACE},${idle},${idle}` });
  const byProject = await usage({ workspace_ids: `${WORKSPACE},${idle}`, group_by: "project" });

  expect(byWorkspace.succeeded).toBe(true);
  expect(byWorkspace.notices).toEqual([expect.stringMatching(new RegExp(`for ${idle}: .*read access`))]);
  expect(byProject.notices).toEqual([]);
});

const ids = ["a", "=b", 'c"', "d,\r\n", "| `e`", "ü", "🌸"];
/** Usage over some months, of every combination that seven ids of each dimension make when they are counted through. */
const variedLines = Array.from({ length: 60 }, (_, index) =>
  usageLine({
    time: new Date(Date.parse("2026-01-04T00:00:00Z") + index * 29 * 3_600_000).toISOString(),
    workspace_id: index % 5 === 0 ? OTHER_WORKSPACE : WORKSPACE,
    project_id: ids[index % ids.length],
    user_id: ids[(index * 3) % ids.length],
    user_email: index % 2 === 0 ? undefined : "someone@agents.example",
    api_key_short_key: ids[(index * 5) % ids.length],
    traces: index % 11,
  }),
);
const csvColumns = { workspace_id: 2, project_id: 4, user_id: 6, api_key_short_key: 8 };

/** Traces by id, without ids that have none. */
function sums(entries: readonly (readonly [unknown, unknown])[]): Map<unknown, number> {
  const all = new Map<unknown, number>();
  for (const [id, traces] of entries) all.set(id, (all.get(id) ?? 0) + Number(traces));
  return new Map([...all].filter(([, sum]) => sum > 0).sort());
}

test.each(GroupBySchema.options)(
  "by %s, the output, both files and the usage itself agree",
  async (group_by) => {
    const { usage, workspace } = await startUsage(variedLines);
    const [start, end] = ["2026-01-06T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];
    const [key] = dimensionKeys[group_by];
    const counted = variedLines.filter(({ time }) => String(time) >= start && String(time) < end);
    const expected = sums(counted.map((line) => [line[key], line.traces]));

    const run = await usage({
      group_by,
      workspace_ids: `${WORKSPACE},${OTHER_WORKSPACE}`,
      start_time: start,
      end_time: "2026-02-28",
      json_file: "usage.json",
      csv_file: "usage.csv",
    });

    const json: unknown = JSON.parse(readFileSync(join(workspace, "usage.json"), "utf8"));
    const items = v.parse(UsageResponseSchema, json).usage;
    const [, ...rows] = parseCsv(readFileSync(join(workspace, "usage.csv"), "utf8"));
    // Cells that a spreadsheet would take for a formula begin with a tab.
    const cells = rows.map((row) => [row[csvColumns[key]]?.replace(/^\t/, ""), row.at(-1)] as const);
    expect(run.errors).toEqual([]);
    expect(run.outputs.total_traces).toBe(String([...expected.values()].reduce((all, sum) => all + sum, 0)));
    expect(run.outputs.buckets).toBe(String(new Set(items.map(({ time_bucket }) => time_bucket)).size));
    expect(sums(items.map(({ dimensions, traces }) => [dimensions[key], traces]))).toEqual(expected);
    expect(sums(cells)).toEqual(expected);
  },
);
