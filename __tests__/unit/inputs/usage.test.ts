import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readUsageInputs } from "../../../src/usage/inputs.ts";
import { reading, type Texts } from "./support/reading.ts";

const one = "11111111-1111-4111-8111-11111111aaaa";
const other = "22222222-2222-4222-8222-22222222bbbb";
const needed: Texts = { base_url: "https://usage.example", api_key: "some-key", workspace_ids: one };
const now = Date.parse("2026-03-10T12:30:00Z");

const workspace = "/home/runner/work";
const taken = [join(workspace, "folder"), workspace, join(workspace, ".."), "/dev/null"];
const disk = { isFreeForFile: (path: string) => !taken.includes(path) };

const read = (inputs: Texts) =>
  reading(inputs, (reader) => readUsageInputs(reader, { now, workspace, disk }));
const problemsOf = (inputs: Texts) => read({ ...needed, ...inputs }).problems;

const names = ["start_time", "end_time", "group_by", "json_file", "csv_file", "max_traces", "region"];
const empty = Object.fromEntries([...names, "request_timeout_seconds"].map((name) => [name, " \n"]));

test.each<[string, Texts]>([
  ["without the others", {}],
  ["with empty ones", empty],
])("what is needed is enough, %s", (_what, others) => {
  expect(read({ ...needed, ...others })).toEqual({
    result: {
      api: {
        url: new URL("https://usage.example"),
        region: undefined,
        apiKey: "some-key",
        timeoutMs: 300_000,
      },
      query: {
        start: Date.parse("2026-02-08T12:30:00Z"),
        end: now,
        workspaceIds: [one],
        groupBy: "workspace",
      },
      jsonFile: undefined,
      csvFile: undefined,
      maxTraces: undefined,
    },
    problems: [],
    remarks: [],
  });
});

test("everything that can be given", () => {
  const inputs = {
    platform: "langsmith",
    region: "eu",
    api_key: " some-key ",
    workspace_ids: `${other}, ${one}\n${one.toUpperCase()}\r\n`,
    start_time: "2026-01-01",
    end_time: "2026-01-31T14:00:00+02:00",
    group_by: "api_key",
    json_file: "new/usage.json",
    csv_file: "/reports/usage.csv",
    max_traces: "0",
    request_timeout_seconds: "5",
  };
  expect(read(inputs)).toEqual({
    result: {
      api: {
        url: new URL("https://eu.api.smith.langchain.com"),
        region: "eu",
        apiKey: "some-key",
        timeoutMs: 5_000,
      },
      query: {
        start: Date.parse("2026-01-01T00:00:00Z"),
        end: Date.parse("2026-01-31T12:00:00Z"),
        workspaceIds: [other, one],
        groupBy: "api_key",
      },
      jsonFile: { input: "json_file", path: join(workspace, "new/usage.json") },
      csvFile: { input: "csv_file", path: "/reports/usage.csv" },
      maxTraces: 0,
    },
    problems: [],
    remarks: [],
  });
});

test("everything that is wrong is told at once", () => {
  const inputs = {
    base_url: "http://usage.example",
    api_key: "some key",
    request_timeout_seconds: "0",
    start_time: "yesterday",
    end_time: "2026-02-30",
    workspace_ids: `${one},mine, ${one}-`,
    group_by: "team",
    json_file: "folder",
    csv_file: "new/",
    max_traces: "1e6",
  };
  const date = "has to be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T14:00:00Z";
  expect(read(inputs).problems).toEqual([
    "Input base_url has to start with https://; for a plain http: address of a private network set allow_http: true.",
    "Input api_key holds a blank, a line end or another character that can't be sent in a header.",
    'Input request_timeout_seconds has to be a number of seconds above 0 and up to 86400, not "0".',
    `Input start_time ${date}, not "yesterday".`,
    `Input end_time ${date}, not "2026-02-30".`,
    'Input workspace_ids holds "mine", which is not a UUID.',
    `Input workspace_ids holds "${one}-", which is not a UUID.`,
    'Input group_by has to be one of workspace, project, user, api_key, not "team".',
    'Input json_file has to name a file, but "folder" is a folder or a device.',
    'Input csv_file has to name a file, but "new/" is a folder or a device.',
    'Input max_traces has to be a whole number of at least 0, not "1e6".',
  ]);
});

test("what is needed is asked for", () => {
  expect(read({ workspace_ids: " ,\n" }).problems).toEqual([
    "Input base_url has to be given.",
    "Input api_key has to be given.",
    "Input workspace_ids has to be given: one id per line, or comma separated.",
  ]);
});

test("a group that doesn't exist leaves the usual one", () => {
  expect(read({ ...needed, group_by: "team" }).result.query.groupBy).toBe("workspace");
});

describe("the range", () => {
  const rangeOf = (inputs: Texts) => {
    const { result, problems } = read({ ...needed, ...inputs });
    expect(problems).toEqual([]);
    return [result.query.start, result.query.end].map((time) => new Date(time).toISOString());
  };

  test.each<[string, Texts, [string, string]]>([
    ["in UTC", { start_time: "2026-02-01T10:30", end_time: "2026-02-02T00:00" }, ["01T10:30", "02T00:00"]],
    [
      "in other zones",
      { start_time: "2026-02-01T00:30+01:00", end_time: "2026-02-01T23:00-0330" },
      ["31T23:30", "02T02:30"],
    ],
    [
      "of days, the last with all of it",
      { start_time: "2026-02-01", end_time: "2026-02-27" },
      ["01T00:00", "28T00:00"],
    ],
    ["of one day", { start_time: "2026-02-01", end_time: "2026-02-01" }, ["01T00:00", "02T00:00"]],
    ["to a midnight", { start_time: "2026-02-01", end_time: "2026-02-01T00:01" }, ["01T00:00", "01T00:01"]],
    ["up to now", { start_time: "2026-03-10T12:29" }, ["10T12:29", "10T12:30"]],
    ["from 30 days before now", { end_time: "2026-02-08" }, ["08T12:30", "09T00:00"]],
  ])("%s", (_what, inputs, expected) => {
    expect(rangeOf(inputs).map((time) => time.slice("2026-02-".length, "2026-02-01T10:30".length))).toEqual(
      expected,
    );
  });

  test.each<[string, Texts, string, string]>([
    [
      "is empty",
      { start_time: "2026-02-01T10:00", end_time: "2026-02-01T12:00+02:00" },
      "",
      "2026-02-01T10:00:00.000Z to 2026-02-01T10:00:00.000Z",
    ],
    [
      "goes backwards",
      { start_time: "2026-02-03", end_time: "2026-02-01" },
      "",
      "2026-02-03T00:00:00.000Z to 2026-02-02T00:00:00.000Z",
    ],
    [
      "starts after now",
      { start_time: "2026-04-01" },
      "",
      "2026-04-01T00:00:00.000Z to 2026-03-10T12:30:00.000Z",
    ],
    [
      "ends before it starts by itself",
      { end_time: "2026-02-07" },
      "(30 days ago, as none is given) ",
      "2026-02-08T12:30:00.000Z to 2026-02-08T00:00:00.000Z",
    ],
  ])("that %s is refused", (_what, inputs, aside, range) => {
    expect(problemsOf(inputs)).toEqual([
      `Input start_time ${aside}has to be before end_time, but the range would go from ${range}.`,
    ]);
  });

  test.each<[Texts, string]>([
    [{ start_time: "soon" }, "start_time"],
    [{ start_time: "soon", end_time: "2020-01-01" }, "start_time"],
    [{ start_time: "2027-01-01", end_time: "soon" }, "end_time"],
  ])("%j is one problem, not two", (inputs, input) => {
    expect(problemsOf(inputs)).toEqual([
      `Input ${input} has to be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T14:00:00Z, not "soon".`,
    ]);
  });
});

describe("a file", () => {
  test.each(["old.json", "no/such/folder.json"])("%s is named from the workspace on", (path) => {
    const { result, problems } = read({ ...needed, json_file: path });
    expect(problems).toEqual([]);
    expect(result.jsonFile).toEqual({ input: "json_file", path: join(workspace, path) });
  });

  test.each(["folder", ".", "..", "no/such/", "back\\", "/", "/dev/null"])("is not %s", (path) => {
    expect(problemsOf({ csv_file: path })).toEqual([
      `Input csv_file has to name a file, but "${path}" is a folder or a device.`,
    ]);
  });

  test("is not two at once, however it is spelled", () => {
    expect(problemsOf({ json_file: "a/../same.txt", csv_file: `${workspace}/same.txt` })).toEqual([
      "Input csv_file names the same file as json_file.",
    ]);
    expect(problemsOf({ json_file: "same.json", csv_file: "same.csv" })).toEqual([]);
  });

  test("of either kind may be the only one", () => {
    const path = join(workspace, "usage");
    expect(read({ ...needed, json_file: "usage" }).result).toMatchObject({
      jsonFile: { input: "json_file", path },
      csvFile: undefined,
    });
    expect(read({ ...needed, csv_file: "usage" }).result).toMatchObject({
      jsonFile: undefined,
      csvFile: { input: "csv_file", path },
    });
  });
});
