import { expect, test } from "@jest/globals";
import { usageExportPath, usagePath } from "../../src/usage/schemas.ts";
import { call, create, violations } from "./support/client.ts";
import { useUsage } from "./support/emulator.ts";
import {
  exported,
  getExport,
  getUsage,
  OTHER_WORKSPACE,
  type Query,
  report,
  usageLine,
  WORKSPACE,
} from "./support/usage.ts";

/** The lines of a test are those of its workspaces. */
const workspace = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
const [mixedCase, nothing, noEmail, gaps, cells, large] = [1, 2, 3, 4, 5, 6].map(workspace);

const cellTexts: [text: string, cell: string][] = [
  ["a,b", '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ["a\r\nb", '"a\r\nb"'],
  ["=1+1", "\t=1+1"],
  ["+1", "\t+1"],
  ["-1", "\t-1"],
  ["@SUM(A1)", "\t@SUM(A1)"],
  ["\ta", "\t\ta"],
  ["\ra", '"\t\ra"'],
  ["=A1,B1", '"\t=A1,B1"'],
  ["Zürich 東京", "Zürich 東京"],
];

const emulator = await useUsage([
  usageLine({ traces: 2 }),
  usageLine({ traces: 3 }),
  usageLine({ traces: 10, workspace_id: OTHER_WORKSPACE }),
  usageLine({ workspace_id: mixedCase?.toUpperCase() }),
  ...[undefined, null].map((user_email) => usageLine({ workspace_id: noEmail, user_email })),
  usageLine({ workspace_id: gaps, time: "2026-02-03" }),
  usageLine({ workspace_id: gaps, time: "2026-02-04", traces: 0 }),
  usageLine({ workspace_id: gaps, time: "2026-02-05" }),
  ...cellTexts.map(([project_name], number) =>
    usageLine({ workspace_id: cells, project_id: `p${number}`, project_name }),
  ),
  // More than the buffers of the sockets hold, so that the export is still in progress when its first bytes are read.
  ...Array.from({ length: 2000 }, (_, number) =>
    usageLine({ workspace_id: large, project_id: `p${number}`, project_name: "x".repeat(10_000) }),
  ),
]);
const days = { start_time: "2026-02-03", end_time: "2026-02-06" };

const header =
  "Time Bucket Start,Time Bucket End,Workspace ID,Workspace Name,Project ID,Project Name,User ID,User Email,API Key Short Key,Traces";
const times = "2026-02-03T00:00:00Z,2026-02-04T00:00:00Z";

test.each([
  ["workspace", { workspace_id: WORKSPACE, workspace_name: "Workspace" }, `${WORKSPACE},Workspace,,,,,`],
  ["project", { project_id: "project-1", project_name: "Project" }, ",,project-1,Project,,,"],
  ["user", { user_id: "user-1", user_email: "user-1@agents.example" }, ",,,,user-1,user-1@agents.example,"],
  ["api_key", { api_key_short_key: "key-1" }, ",,,,,,key-1"],
])(
  "usage by %s has its own dimensions alone, in the report and in the export",
  async (group_by, dimensions, row) => {
    const json = await getUsage(emulator, { ...days, group_by });
    const csv = await getExport(emulator, { ...days, group_by });

    expect(json.headers.get("content-type")).toBe("application/json");
    expect(json.body).toEqual({
      stride: { days: 1, hours: 0 },
      usage: [{ time_bucket: "2026-02-03T00:00:00Z", dimensions, traces: 5 }],
    });
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.body).toBe(`${header}\r\n${times},${row},5\r\n`);
  },
);

test("usage is grouped by workspace by default", async () => {
  const byWorkspace = await report(emulator, { ...days, group_by: "workspace" });

  expect(await report(emulator, days)).toEqual(byWorkspace);
});

test("usage without an email has no user_email in the report and an empty cell in the export", async () => {
  const query = { ...days, group_by: "user", workspace_ids: noEmail };

  const { usage } = await report(emulator, query);
  const [, row] = await exported(emulator, query);

  expect(usage).toMatchObject([{ traces: 2 }]);
  expect(usage[0]?.dimensions).toEqual({ user_id: "user-1" });
  expect(row?.slice(6, 8)).toEqual(["user-1", ""]);
});

test.each([
  [[WORKSPACE], [5]],
  [[WORKSPACE, OTHER_WORKSPACE], [15]],
  [[WORKSPACE, WORKSPACE], [5]],
  [[mixedCase ?? ""], [1]],
  [["99999999-9999-4999-8999-999999999999"], []],
])("a report for the workspaces %j counts no others", async (workspace_ids, traces) => {
  const { usage } = await report(emulator, { ...days, workspace_ids, group_by: "project" });

  expect(usage.map((item) => item.traces)).toEqual(traces);
});

test("a report without usage is empty, and the export has its header alone", async () => {
  const query = { ...days, workspace_ids: nothing };

  expect(await report(emulator, query)).toEqual({ stride: { days: 1, hours: 0 }, usage: [] });
  expect((await getExport(emulator, query)).body).toBe(`${header}\r\n`);
});

test("a report leaves out empty buckets and sums of zero", async () => {
  const { usage } = await report(emulator, { ...days, workspace_ids: gaps });

  expect(usage.map(({ time_bucket }) => time_bucket)).toEqual([
    "2026-02-03T00:00:00Z",
    "2026-02-05T00:00:00Z",
  ]);
});

test("the export quotes cells and guards those that a spreadsheet would run", async () => {
  const { body } = await getExport(emulator, { ...days, workspace_ids: cells, group_by: "project" });

  const rows = cellTexts.map(([, cell], number) => `${times},,,p${number},${cell},,,,1\r\n`);
  expect(body).toBe(`${header}\r\n${rows.join("")}`);
});

const invalid: [string, Query, string[]][] = [
  [
    "no parameters",
    { start_time: undefined, end_time: undefined, workspace_ids: undefined },
    ["end_time", "start_time", "workspace_ids"],
  ],
  ["invalid times", { start_time: "yesterday", end_time: "2026-02-30" }, ["end_time", "start_time"]],
  [
    "an hour or minute that does not exist",
    { start_time: "2026-02-03T24:00", end_time: "2026-02-06T10:60" },
    ["end_time", "start_time"],
  ],
  ["an end before the start", { end_time: "2026-02-02" }, ["end_time"]],
  ["an end at the start", { end_time: "2026-02-03T00:00:00Z" }, ["end_time"]],
  ["an end before the start by its offset", { end_time: "2026-02-03T01:00+02:00" }, ["end_time"]],
  ["two start times", { start_time: ["2026-02-03", "2026-02-04"] }, ["start_time"]],
  ["an unknown group_by", { group_by: "team" }, ["group_by"]],
  ["an empty group_by", { group_by: "" }, ["group_by"]],
  ["a workspace id that is not a UUID", { workspace_ids: "workspace-1" }, ["workspace_ids.0"]],
  ["one bad workspace id among good ones", { workspace_ids: [WORKSPACE, ""] }, ["workspace_ids.1"]],
  ["ids in one parameter", { workspace_ids: `${WORKSPACE},${OTHER_WORKSPACE}` }, ["workspace_ids.0"]],
  ["an unknown parameter", { format: "csv" }, ["format"]],
];

test.each(invalid)("a report and an export with %s get 422", async (_, query, fields) => {
  for (const get of [getUsage, getExport]) {
    const response = await get(emulator, { ...days, ...query });
    expect(violations(response)).toEqual(fields.map((field) => `query.${field}`));
  }
});

test("usage needs the key alone, and nothing else is served under /api/v1", async () => {
  for (const path of [usagePath, usageExportPath]) {
    for (const apiKey of ["", "wrong"]) {
      expect((await call({ ...emulator, apiKey }, `GET ${path}`)).status).toBe(401);
    }
  }
  expect((await getUsage(emulator, days)).status).toBe(200);
  expect((await call(emulator, `POST ${usagePath}`, {})).status).toBe(405);
  expect((await call(emulator, "GET /api/v1/orgs")).status).toBe(404);
});

async function startExport(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const query = `start_time=2026-02-03&end_time=2026-02-06&workspace_ids=${large}&group_by=project`;
  const headers = { "x-api-key": emulator.apiKey };
  const { body } = await fetch(`${emulator.url}${usageExportPath}?${query}`, { headers });
  const reader = body?.getReader();
  if (reader === undefined || (await reader.read()).done) throw new Error("the export is empty");
  return reader;
}

test("a client that leaves during an export does not harm the emulator", async () => {
  await (await startExport()).cancel();

  const { id } = await create(emulator);

  expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(204);
  expect(await exported(emulator, { ...days, workspace_ids: large, group_by: "project" })).toHaveLength(2001);
});

test("an export in progress does not block other requests", async () => {
  const reader = await startExport();
  await create(emulator);

  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;

  expect(bytes).toBeGreaterThan(19_000_000);
});
