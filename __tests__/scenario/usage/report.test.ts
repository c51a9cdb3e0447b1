import { expect, test } from "@jest/globals";
import { OTHER_WORKSPACE, usageLine, WORKSPACE } from "../../emulator/support/usage.ts";
import { startRawServer } from "./support/raw-server.ts";
import { startUsage } from "./support/usage-scenario.ts";

const path = "/api/v1/orgs/current/billing/granular-usage";

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

test("without more than it takes, the last 30 days by workspace are asked for, with the key alone", async () => {
  const { usage } = await startUsage(lines);
  const run = await usage();
  expect(run.succeeded).toBe(true);
  expect(run.requests).toHaveLength(1);
  expect(run.requests[0]).toMatchObject({
    method: "GET",
    path,
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

test("several workspaces are a repeated parameter, each of them once", async () => {
  const { usage } = await startUsage(lines);
  const run = await usage({
    workspace_ids: `${WORKSPACE}, ${OTHER_WORKSPACE}\n\n  ${WORKSPACE.toUpperCase()}\r\n`,
  });
  expect(run.requests[0]?.query.workspace_ids).toEqual([WORKSPACE, OTHER_WORKSPACE]);
  expect(run.outputs.total_traces).toBe("1000");
});

test("the outputs tell the total, the buckets with usage and their length", async () => {
  const { usage } = await startUsage(lines);
  const run = await usage({ start_time: "2026-02-01", end_time: "2026-02-28" });
  expect(run.outputs).toEqual({ total_traces: "100", buckets: "2", stride_days: "1", stride_hours: "0" });
  const hourly = await usage({ start_time: "2026-02-05T10:00Z", end_time: "2026-02-05T12:00Z" });
  expect(hourly.outputs).toEqual({ total_traces: "70", buckets: "2", stride_days: "0", stride_hours: "1" });
});

test("without usage everything is told as none", async () => {
  const { usage } = await startUsage();
  const run = await usage({ group_by: "user" });
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({ total_traces: "0", buckets: "0" });
  expect(run.summary).toContain("## ✅ Usage: 0 traces");
  expect(run.summary).not.toContain("mermaid");
});

test("the summary shows the totals, the largest first, and a bar for every day of the range", async () => {
  const { usage } = await startUsage(lines);
  const run = await usage({ group_by: "project", start_time: "2026-02-02", end_time: "2026-02-06" });
  expect(run.summary).toContain("## ✅ Usage: 100 traces");
  expect(run.summary).toContain(
    [
      "| Project | Project id | Traces | Share |",
      "|---|---|---:|---:|",
      "| `Support bot` | `p-1` | 60 | 60.0 % |",
      "| `Research` | `p-2` | 40 | 40.0 % |",
    ].join("\n"),
  );
  expect(run.summary).toContain(
    'x-axis ["2026-02-02", "2026-02-03", "2026-02-04", "2026-02-05", "2026-02-06"]',
  );
  expect(run.summary).toContain("bar [0, 30, 0, 70, 0]");
});

test("the log tells the totals in a group", async () => {
  const { start } = await startUsage(lines);
  const { context, ended } = start({ group_by: "api_key" });
  await ended;
  const { lines: log } = context.recorded;
  const group = log.slice(
    log.findIndex(({ kind }) => kind === "group"),
    log.findIndex(({ kind }) => kind === "endgroup"),
  );
  expect(group.map(({ text }) => text)).toEqual(["Totals, the largest first", "100  100.0 %  key-1"]);
});

test("a base_url may have a path and a slash at its end", async () => {
  const { url, requests } = await startRawServer({});
  const { usage } = await startUsage();
  const run = await usage({ base_url: `${url}/smith/`, workspace_ids: WORKSPACE });
  expect(run.succeeded).toBe(true);
  expect(requests.map((request) => request.url?.split("?")[0])).toEqual([`/smith${path}`]);
});
