import { expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator/server.ts";
import { USAGE_EXPORT_PATH } from "../../src/usage/schemas.ts";
import { call, complaints, create, withEmulator } from "./support/client.ts";
import {
  exported,
  getExport,
  getUsage,
  OTHER_WORKSPACE,
  type Query,
  report,
  usageLine,
  WORKSPACE,
  withUsage,
} from "./support/usage.ts";

const days = { start_time: "2026-02-03", end_time: "2026-02-06" };

// platform-api, "Dimensions by group_by".
test.each([
  [undefined, { workspace_id: WORKSPACE, workspace_name: "Workspace" }],
  ["workspace", { workspace_id: WORKSPACE, workspace_name: "Workspace" }],
  ["project", { project_id: "project-1", project_name: "Project" }],
  ["user", { user_id: "user-1", user_email: "user-1@agents.example" }],
  ["api_key", { api_key_short_key: "key-1" }],
])("grouped by %s the dimensions are just these", (group_by, dimensions) =>
  withUsage([usageLine({ traces: 2 }), usageLine({ traces: 3 })], async (emulator) => {
    const answer = await getUsage(emulator, { ...days, group_by });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      stride: { days: 1, hours: 0 },
      usage: [{ time_bucket: "2026-02-03T00:00:00Z", dimensions, traces: 5 }],
    });
  }),
);

test("user_email is left out where there is none", () =>
  withUsage([usageLine({ user_email: undefined }), usageLine({ user_email: null })], async (emulator) => {
    const { usage } = await report(emulator, { ...days, group_by: "user" });
    expect(usage).toEqual([
      { time_bucket: "2026-02-03T00:00:00Z", dimensions: { user_id: "user-1" }, traces: 2 },
    ]);
    expect((await exported(emulator, { ...days, group_by: "user" }))[1]?.slice(6, 8)).toEqual(["user-1", ""]);
  }));

test("only the workspaces asked for are counted, in whatever case their ids are written", () =>
  withUsage(
    [
      usageLine({ traces: 1 }),
      usageLine({ traces: 10, workspace_id: OTHER_WORKSPACE }),
      usageLine({ traces: 100, workspace_id: "aaaaaaaa-3333-4333-8333-AAAAAAAAAAAA" }),
    ],
    async (emulator) => {
      const total = async (...workspace_ids: string[]) => {
        const { usage } = await report(emulator, { ...days, workspace_ids, group_by: "project" });
        return usage.map(({ traces }) => traces);
      };
      expect(await total(WORKSPACE)).toEqual([1]);
      expect(await total(WORKSPACE, OTHER_WORKSPACE)).toEqual([11]);
      expect(await total(WORKSPACE, WORKSPACE)).toEqual([1]);
      expect(await total("AAAAAAAA-3333-4333-8333-aaaaaaaaaaaa")).toEqual([100]);
      expect(await total("99999999-9999-4999-8999-999999999999")).toEqual([]);
    },
  ));

// platform-api, "Granular usage export".
const HEADER =
  "Time Bucket Start,Time Bucket End,Workspace ID,Workspace Name,Project ID,Project Name,User ID,User Email,API Key Short Key,Traces";
const TIMES = "2026-02-03T00:00:00Z,2026-02-04T00:00:00Z";

test.each([
  ["workspace", `${TIMES},${WORKSPACE},Workspace,,,,,,1`],
  ["project", `${TIMES},,,project-1,Project,,,,1`],
  ["user", `${TIMES},,,,,user-1,user-1@agents.example,,1`],
  ["api_key", `${TIMES},,,,,,,key-1,1`],
])("the export by %s has all ten columns and fills only its own", (group_by, line) =>
  withUsage([usageLine()], async (emulator) => {
    const answer = await getExport(emulator, { ...days, group_by });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.body).toBe(`${HEADER}\r\n${line}\r\n`);
  }),
);

test("an export without usage is its header line", () =>
  withUsage([], async (emulator) => {
    expect((await getExport(emulator, days)).body).toBe(`${HEADER}\r\n`);
    expect(await report(emulator, days)).toEqual({ stride: { days: 1, hours: 0 }, usage: [] });
  }));

test.each([
  ["a comma", "a,b", '"a,b"'],
  ["quotes", 'a "b"', '"a ""b"""'],
  ["line ends", "a\r\nb", '"a\r\nb"'],
  ["=", "=1+1", "\t=1+1"],
  ["+", "+1", "\t+1"],
  ["-", "-1", "\t-1"],
  ["@", "@SUM(A1)", "\t@SUM(A1)"],
  ["a tab", "\ta", "\t\ta"],
  ["a carriage return", "\ra", '"\t\ra"'],
  ["a formula with a comma", "=A1,B1", '"\t=A1,B1"'],
  ["other letters", "Zürich 東京", "Zürich 東京"],
])("a cell with %s", (_, project_name, cell) =>
  withUsage([usageLine({ project_name })], async (emulator) => {
    const { body } = await getExport(emulator, { ...days, group_by: "project" });
    expect(body).toBe(`${HEADER}\r\n${TIMES},,,project-1,${cell},,,,1\r\n`);
  }),
);

const wrong: [string, Query, string[]][] = [
  [
    "nothing",
    { start_time: undefined, end_time: undefined, workspace_ids: undefined },
    ["query.end_time", "query.start_time", "query.workspace_ids"],
  ],
  [
    "times that are none",
    { start_time: "yesterday", end_time: "2026-02-30" },
    ["query.end_time", "query.start_time"],
  ],
  [
    "an hour that is none",
    { start_time: "2026-02-03T24:00", end_time: "2026-02-06T10:60" },
    ["query.end_time", "query.start_time"],
  ],
  ["an end before the start", { end_time: "2026-02-02" }, ["query.end_time"]],
  ["an end that is the start", { end_time: "2026-02-03T00:00:00Z" }, ["query.end_time"]],
  ["an end before the start by its offset", { end_time: "2026-02-03T01:00+02:00" }, ["query.end_time"]],
  ["two start times", { start_time: ["2026-02-03", "2026-02-04"] }, ["query.start_time"]],
  ["an unknown group_by", { group_by: "team" }, ["query.group_by"]],
  ["an empty group_by", { group_by: "" }, ["query.group_by"]],
  ["a workspace id that is no UUID", { workspace_ids: "workspace-1" }, ["query.workspace_ids.0"]],
  ["one bad workspace id among good ones", { workspace_ids: [WORKSPACE, ""] }, ["query.workspace_ids.1"]],
  ["ids in one parameter", { workspace_ids: `${WORKSPACE},${OTHER_WORKSPACE}` }, ["query.workspace_ids.0"]],
  ["an unknown parameter", { format: "csv" }, ["query.format"]],
];

test.each(wrong)("%s answers 422, the export too", (_, query, places) =>
  withUsage([], async (emulator) => {
    for (const ask of [getUsage, getExport]) {
      expect(complaints(await ask(emulator, { ...days, ...query }))).toEqual(places);
    }
  }),
);

test("usage needs the key alone; there is nothing else under /api/v1", () =>
  withEmulator({}, async (emulator) => {
    const path = "/api/v1/orgs/current/billing/granular-usage";
    for (const headers of [{}, { "X-Api-Key": "wrong" }]) {
      for (const each of [path, `${path}/export`]) {
        const response = await fetch(emulator.url + each, { headers: new Headers(Object.entries(headers)) });
        expect(response.status).toBe(401);
      }
    }
    expect((await getUsage(emulator, days)).status).toBe(200);
    expect((await call(emulator, `POST ${path}`, {})).status).toBe(405);
    expect((await call(emulator, "GET /api/v1/orgs")).status).toBe(404);
  }));

/** More than the sockets' buffers hold, so that the export is still under way when its first bytes are read. */
const long = Array.from({ length: 2000 }, (_, number) =>
  usageLine({ project_id: `project-${number}`, project_name: "x".repeat(10_000) }),
);

async function startedExport(emulator: Emulator): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const query = `start_time=2026-02-03&end_time=2026-02-06&workspace_ids=${WORKSPACE}&group_by=project`;
  const headers = { "x-api-key": emulator.apiKey };
  const { body } = await fetch(`${emulator.url}${USAGE_EXPORT_PATH}?${query}`, { headers });
  const reader = body?.getReader();
  if (reader === undefined || (await reader.read()).done) throw new Error("the export is empty");
  return reader;
}

test("a reader that goes away in the middle of an export leaves the emulator as it was", () =>
  withUsage(long, async (emulator) => {
    await (await startedExport(emulator)).cancel();
    const { id } = await create(emulator);
    expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(204);
    expect(await exported(emulator, { ...days, group_by: "project" })).toHaveLength(2001);
  }));

test("an export that is being read keeps nobody else waiting", () =>
  withUsage(long, async (emulator) => {
    const reader = await startedExport(emulator);
    await create(emulator);
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    expect(bytes).toBeGreaterThan(19_000_000);
  }));
