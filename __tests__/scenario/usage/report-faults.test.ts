import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { USAGE_PATH } from "../../../src/usage/schemas.ts";
import { usageLine, WORKSPACE } from "../../emulator/support/usage.ts";
import { startRawServer } from "./support/raw-server.ts";
import { startUsage } from "./support/usage-scenario.ts";

const lines = [usageLine({ traces: 7 })];

test.each([
  [400, { detail: "no such range" }, "no such range", "start_time"],
  [401, { detail: "who?" }, "who?", "api_key"],
  [403, { detail: "Forbidden" }, "Forbidden", "organization:read"],
  [404, { detail: "Not Found" }, "Not Found", "base_url"],
  [404, "<html><title>Nothing here</title></html>", "Nothing here", "did not come from the usage API"],
  [414, "", "(no text)", "workspace_ids"],
  [
    422,
    { detail: [{ loc: ["query", "end_time"], msg: "too late", type: "value_error" }] },
    "query.end_time: too late",
    "inputs",
  ],
])("%i is told in the platform's words, with what to look at", async (status, body, words, hint) => {
  const { usage, emulator, files } = await startUsage(lines);
  emulator.misbehave({ kind: "answer", status, body, match: { times: "always" } });
  const run = await usage({ json_file: "usage.json", csv_file: "usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(1);
  expect(run.errors).toEqual([expect.stringContaining(words)]);
  expect(run.errors[0]).toContain(`answered with ${status}`);
  expect(run.errors[0]).toContain(hint);
  expect(run.errors[0]).not.toContain("control_plane_url");
  expect(run.outputs).toEqual({});
  expect(run.summary).toContain("## ❌ Usage: failed");
  expect(files()).toEqual([]);
});

test("every item of a 422 is an annotation of its own", async () => {
  const { usage, emulator } = await startUsage(lines);
  const items = ["start_time", "end_time"].map((name) => ({ loc: ["query", name], msg: "bad", type: "x" }));
  emulator.misbehave({ kind: "answer", status: 422, body: { detail: items } });
  const run = await usage();
  const answered = "GET /api/v1/orgs/current/billing/granular-usage was answered with 422.";
  const hint = "The platform refused these parameters: check the inputs of the same names.";
  expect(run.errors).toEqual([
    `query.start_time: bad. ${answered} ${hint}`,
    `query.end_time: bad. ${answered} ${hint}`,
  ]);
});

test.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async (status) => {
  const elsewhere = await startRawServer({});
  const { usage, emulator } = await startUsage(lines);
  emulator.misbehave({ kind: "answer", status, headers: { location: `${elsewhere.url}/x` } });
  const run = await usage();
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/a redirect to .*Set base_url/)]);
  expect(elsewhere.requests).toEqual([]);
});

test.each([
  ["reset", { kind: "reset" }],
  ["cut", { kind: "cut" }],
  ["a 502", { kind: "answer", status: 502 }],
] as const)("the report is asked for again after a %s", async (_, rule) => {
  const { usage, emulator } = await startUsage(lines);
  emulator.misbehave({ ...rule, match: { path: `${USAGE_PATH}$` } });
  const run = await usage();
  expect(run.succeeded).toBe(true);
  expect(run.outputs.total_traces).toBe("7");
  expect(run.requests).toHaveLength(2);
});

test("a platform that stays down is asked five times", async () => {
  const { usage, emulator } = await startUsage(lines);
  emulator.misbehave({ kind: "answer", status: 503, match: { times: "always" } });
  const run = await usage();
  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(5);
});

test("a pause that is longer than the time there is isn't waited for", async () => {
  const { usage, emulator } = await startUsage(lines);
  emulator.misbehave({
    kind: "answer",
    status: 429,
    headers: { "retry-after": "301" },
    match: { times: "always" },
  });
  const run = await usage();
  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(1);
});

test("a platform that never answers is given up on", async () => {
  const { usage, emulator } = await startUsage(lines);
  emulator.misbehave({ kind: "hang", match: { times: "always" } });
  const run = await usage({ request_timeout_seconds: "0.1" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/no whole answer within 0.1 s.*request_timeout_seconds/),
  ]);
});

const bucket = "2026-02-03T00:00:00Z";

test.each([
  ["HTML", "<html>"],
  ["a list", "[]"],
  ["no usage", '{"stride":{"days":1,"hours":0}}'],
  ["an error of its own", '{"detail":"oops"}'],
  [
    "a fraction of a trace",
    JSON.stringify({ stride: { days: 1 }, usage: [{ time_bucket: bucket, dimensions: {}, traces: 0.5 }] }),
  ],
  [
    "fewer than no traces",
    JSON.stringify({ stride: { days: 1 }, usage: [{ time_bucket: bucket, dimensions: {}, traces: -5 }] }),
  ],
])("%s with a 200 is not taken for a report", async (_, body) => {
  const { url } = await startRawServer({ report: (response) => response.end(body) });
  const { usage, files } = await startUsage();
  const run = await usage({ base_url: url, json_file: "usage.json" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/answered with 200, but .*base_url/)]);
  expect(run.outputs).toEqual({});
  expect(files()).toEqual([]);
});

test("a report of more than 100 MB is read as well, and written byte for byte", async () => {
  const item = JSON.stringify({
    time_bucket: bucket,
    dimensions: { workspace_id: WORKSPACE, workspace_name: "x".repeat(9000) },
    traces: 3,
  });
  const [head, part, end] = [
    '{"usage":[',
    Array<string>(100).fill(item).join(),
    ' ] , "stride":{"days":1,"hours":0}}',
  ];
  const { url } = await startRawServer({
    report: (response) => {
      response.write(head);
      for (let parts = 0; parts < 120; parts += 1) response.write(parts === 0 ? part : `,${part}`);
      response.end(end);
    },
  });
  const { usage, workspace } = await startUsage();
  const run = await usage({ base_url: url, json_file: "usage.json" });
  expect(run.errors).toEqual([]);
  expect(run.outputs.total_traces).toBe("36000");
  expect(statSync(join(workspace, "usage.json")).size).toBe(
    head.length + end.length + 120 * (part.length + 1) - 1,
  );
});

test.each([
  ["text without end", '{"usage":[{"time_bucket":"', "x"],
  ["white space without end", "", " "],
])("a report of %s is given up on", async (_, head, filler) => {
  const part = filler.repeat(1_000_000);
  const { url, requests } = await startRawServer({
    report: (response) => {
      response.write(head);
      for (let parts = 0; parts < 12; parts += 1) response.write(part);
    },
  });
  const { usage, files } = await startUsage();
  const run = await usage({ base_url: url, json_file: "usage.json" });
  expect(run.errors).toEqual([expect.stringMatching(/the body is not a usage report/)]);
  expect(requests).toHaveLength(1);
  expect(files()).toEqual([]);
});
