import { expect, test } from "@jest/globals";
import { usageLine } from "../../../emulator/__tests__/support/usage.ts";
import { usagePath } from "../../../src/usage/schemas.ts";
import { answer } from "../../support/faults.ts";
import { startUsage, startUsageServer } from "./support.ts";

const lines = [usageLine({ traces: 7 })];

test.each([
  [400, { detail: "no such range" }, "no such range", "inputs"],
  [401, { detail: "who?" }, "who?", "api_key"],
  [403, { detail: "Forbidden" }, "Forbidden", "organization:read"],
  [404, { detail: "Not Found" }, "Not Found", "base_url"],
  [404, "<html><title>Nothing here</title></html>", "Nothing here", "Check that base_url is the URL"],
  [
    422,
    { detail: [{ loc: ["query", "end_time"], msg: "too late", type: "value_error" }] },
    'query.end_time: "too late"',
    "inputs",
  ],
])("a usage report fails on %i with the platform's words and a hint", async (status, body, words, hint) => {
  const { usage, emulator, files } = await startUsage(lines);
  emulator.addFault(answer("any", status, { body, times: "always" }));

  const run = await usage({ json_file: "usage.json", csv_file: "usage.csv" });

  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(1);
  expect(run.errors).toEqual([expect.stringContaining(words)]);
  expect(run.errors[0]).toContain(`failed with ${status}`);
  expect(run.errors[0]).toContain(hint);
  expect(run.errors[0]).not.toContain("control_plane_url");
  expect(run.outputs).toEqual({});
  expect(run.summary).toContain("## ❌ Usage: failed");
  expect(files()).toEqual([]);
});

test("a usage report has an annotation for every item of a 422", async () => {
  const { usage, emulator } = await startUsage(lines);
  const items = ["start_time", "end_time"].map((name) => ({ loc: ["query", name], msg: "bad", type: "x" }));
  emulator.addFault({ kind: "answer", status: 422, body: { detail: items } });

  const run = await usage();

  expect(run.errors).toEqual(['query.start_time: "bad".', 'query.end_time: "bad".']);
});

test.each([301, 302, 303, 307, 308])("a usage report does not follow a redirect (%i)", async (status) => {
  const target = await startUsageServer({});
  const { usage, emulator } = await startUsage(lines);
  emulator.addFault({ kind: "answer", status, headers: { location: `${target.url}/x` } });

  const run = await usage();

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/a redirect to .*Set base_url/)]);
  expect(target.requests).toEqual([]);
});

test.each([
  ["a reset", { kind: "reset" }],
  ["a cut", { kind: "cut" }],
  ["a 502", { kind: "answer", status: 502 }],
] as const)("a usage report is retried after %s", async (_, fault) => {
  const { usage, emulator } = await startUsage(lines);
  emulator.addFault({ ...fault, match: { path: `${usagePath}$` } });

  const run = await usage();

  expect(run.succeeded).toBe(true);
  expect(run.outputs.total_traces).toBe("7");
  expect(run.requests).toHaveLength(2);
});

test("a usage report waits for a Retry-After longer than the time limit of a request", async () => {
  const { usage, emulator } = await startUsage(lines);
  emulator.addFault({ kind: "answer", status: 429, headers: { "retry-after": "31" } });

  const run = await usage({ request_timeout_seconds: "30" });

  expect(run.succeeded).toBe(true);
  expect(run.requests).toHaveLength(2);
});

test("a usage report fails if it is not complete within request_timeout_seconds", async () => {
  const { usage, emulator } = await startUsage(lines);
  emulator.addFault({ kind: "hang", match: { times: "always" } });

  const run = await usage({ request_timeout_seconds: "0.05" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/within 0.05 s.*request_timeout_seconds/)]);
});

const stride = { days: 1, hours: 0 };
const item = { time_bucket: "2026-02-03T00:00:00Z", dimensions: {}, traces: 1 };

test.each<[string, string, string]>([
  ["HTML", "<html>", "not JSON"],
  ["a list", "[]", "stride"],
  ["no usage", JSON.stringify({ stride }), "usage"],
  ["null in place of its list", JSON.stringify({ stride, usage: null }), "usage"],
  ["an error in a success", '{"detail":"oops"}', "stride"],
  ["half a trace", JSON.stringify({ stride, usage: [item, { ...item, traces: 0.5 }] }), "usage.1.traces"],
  ["negative traces", JSON.stringify({ stride, usage: [{ ...item, traces: -5 }] }), "usage.0.traces"],
])("a usage report cannot be %s", async (_, body, fact) => {
  const { url } = await startUsageServer({ report: (response) => response.end(body) });
  const { usage, files } = await startUsage();

  const run = await usage({ base_url: url, json_file: "usage.json" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/returned 200, but .*base_url/)]);
  expect(run.errors[0]).toContain(fact);
  expect(run.outputs).toEqual({});
  expect(files()).toEqual([]);
});
