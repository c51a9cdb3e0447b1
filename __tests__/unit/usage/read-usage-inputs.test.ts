import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readUsageInputs } from "../../../src/usage/read-usage-inputs.ts";
import { problem, reading, type Texts } from "../inputs/support/reading.ts";

const one = "11111111-1111-4111-8111-11111111aaaa";
const needed: Texts = { base_url: "https://usage.example", api_key: "some-key", workspace_ids: one };
const now = Date.parse("2026-03-10T12:30:00Z");

const read = (inputs: Texts) =>
  reading(inputs, (reader) => readUsageInputs(reader, now, { workspace: "/workspace" }));
const problemsOf = (inputs: Texts) => read({ ...needed, ...inputs }).problems;

const optional = ["start_time", "end_time", "group_by", "json_file", "csv_file", "max_traces", "region"];

test.each<[string, Texts]>([
  ["missing", {}],
  ["empty", Object.fromEntries([...optional, "request_timeout_seconds"].map((name) => [name, " \n"]))],
])("a usage report has defaults for inputs that are %s", (_what, others) => {
  expect(read({ ...needed, ...others })).toStrictEqual({
    result: {
      url: new URL("https://usage.example"),
      region: undefined,
      apiKey: "some-key",
      timeoutMs: 300_000,
      start: Date.parse("2026-02-08T12:30:00Z"),
      end: now,
      workspaceIds: [one],
      groupBy: "workspace",
      jsonFile: undefined,
      csvFile: undefined,
      maxTraces: undefined,
    },
    problems: [],
    notes: [],
  });
});

test("all problems with the inputs of a usage report are reported at once", () => {
  const inputs = {
    base_url: "http://usage.example",
    api_key: "some key",
    request_timeout_seconds: "0",
    start_time: "yesterday",
    end_time: "2026-02-30",
    workspace_ids: `${one},mine, ${one}-`,
    group_by: "team",
    max_traces: "1e6",
  };

  const { result, problems } = read(inputs);

  expect(problems).toEqual([
    problem("base_url", "https://"),
    problem("api_key", "header"),
    problem("request_timeout_seconds", '"0"'),
    problem("start_time", "ISO 8601", '"yesterday"'),
    problem("end_time", "ISO 8601", '"2026-02-30"'),
    problem("group_by", "workspace, project, user or api_key", '"team"'),
    problem("max_traces", "at least 0", '"1e6"'),
  ]);
  expect(result.groupBy).toBe("workspace");
});

test("missing inputs of a usage report are all named", () => {
  expect(read({ workspace_ids: " ,\n" }).problems).toEqual([
    problem("workspace_ids", "missing"),
    problem("base_url", "missing"),
    problem("api_key", "missing"),
  ]);
});

test("the two files of a usage report must differ", () => {
  expect(read({ ...needed, json_file: "usage", csv_file: "./usage" }).problems).toEqual([
    problem("csv_file", "the same file as json_file"),
  ]);
});

describe("the range of a usage report", () => {
  test.each<[string, Texts, string, string]>([
    ["is in UTC", { start_time: "2026-02-01T10:30", end_time: "2026-02-02T00:00" }, "01T10:30", "02T00:00"],
    [
      "may be in other zones",
      { start_time: "2026-02-01T00:30+01:00", end_time: "2026-02-01T23:00-03:30" },
      "31T23:30",
      "02T02:30",
    ],
    ["includes its last day", { start_time: "2026-02-01", end_time: "2026-02-27" }, "01T00:00", "28T00:00"],
    ["may be one day", { start_time: "2026-02-01", end_time: "2026-02-01" }, "01T00:00", "02T00:00"],
    [
      "may end after midnight",
      { start_time: "2026-02-01", end_time: "2026-02-01T00:01" },
      "01T00:00",
      "01T00:01",
    ],
    ["ends now by default", { start_time: "2026-03-10T12:29" }, "10T12:29", "10T12:30"],
    ["starts 30 days ago by default", { end_time: "2026-02-08" }, "08T12:30", "09T00:00"],
  ])("the range of a usage report %s", (_what, inputs, start, end) => {
    const { result, problems } = read({ ...needed, ...inputs });
    const times = [result.start, result.end].map((time) => new Date(time).toISOString());

    expect(problems).toEqual([]);
    expect(times.map((time) => time.slice("2026-02-".length, "2026-02-01T10:30".length))).toEqual([
      start,
      end,
    ]);
  });

  test.each<[string, Texts, string[]]>([
    [
      "be empty",
      { start_time: "2026-02-01T10:00", end_time: "2026-02-01T12:00+02:00" },
      ["2026-02-01T10:00:00.000Z", "2026-02-01T10:00:00.000Z"],
    ],
    [
      "go backwards",
      { start_time: "2026-02-03", end_time: "2026-02-01" },
      ["2026-02-03T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
    ],
    [
      "start after now",
      { start_time: "2026-04-01" },
      ["2026-04-01T00:00:00.000Z", "2026-03-10T12:30:00.000Z"],
    ],
    [
      "end before its default start",
      { end_time: "2026-02-07" },
      ["2026-02-08T12:30:00.000Z", "2026-02-08T00:00:00.000Z"],
    ],
  ])("cannot %s", (_what, inputs, facts) => {
    expect(problemsOf(inputs)).toEqual([problem("start_time", ...facts)]);
  });

  test.each<[string, Texts]>([
    ["start_time", { start_time: "2026-9-01", end_time: "2020-09-30" }],
    ["end_time", { start_time: "2027-09-01", end_time: "2026-9-30" }],
  ])("is not compared if %s is no date", (input, inputs) => {
    expect(problemsOf(inputs)).toEqual([problem(input, "ISO 8601")]);
  });
});

test.each(["old.json", "no/such/folder.json"])("the file %s is relative to the workspace", (path) => {
  const { result, problems } = read({ ...needed, json_file: path });

  expect(problems).toEqual([]);
  expect(result.jsonFile).toBe(join("/workspace", path));
  expect(result.csvFile).toBeUndefined();
});
