import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { usageLine } from "../../../emulator/__tests__/support/usage.ts";
import type { FaultRule } from "../../../emulator/index.ts";
import { CancelledError } from "../../../src/errors.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import { csvHeader, startUsage, startUsageServer } from "./support.ts";

const lines = [
  usageLine({ project_name: 'comma, "quote"\r\n=formula', user_email: undefined, traces: 3 }),
  usageLine({ project_id: "ü", project_name: "日本 🌸", traces: 4 }),
];
const match = { path: "/export$" };

test("both files are the platform's responses byte for byte, requested with the same query", async () => {
  const { usage, emulator, workspace, files } = await startUsage(lines);

  const run = await usage({ group_by: "project", json_file: "usage.json", csv_file: "usage.csv" });

  expect(run.succeeded).toBe(true);
  const [json, csv] = ["usage.json", "usage.csv"].map((name) => join(workspace, name));
  expect(run.outputs).toMatchObject({ json_file: json, csv_file: csv });
  expect(run.requests.map(({ path }) => path.split("/").at(-1))).toEqual(["granular-usage", "export"]);
  expect(run.requests[1]?.query).toEqual(run.requests[0]?.query);
  expect(files()).toEqual(["usage.csv", "usage.json"]);
  const responses = run.requests.map(async ({ path, query }) => {
    const parameters = Object.entries(query).flatMap(([name, values]) =>
      values.map((value) => [name, value]),
    );
    const url = `${emulator.url}${path}?${new URLSearchParams(Object.fromEntries(parameters))}`;
    const response = await fetch(url, { headers: { "x-api-key": emulator.apiKey } });
    return Buffer.from(await response.arrayBuffer());
  });
  expect([json, csv].map((path = "") => readFileSync(path))).toEqual(await Promise.all(responses));
});

test("the JSON file also holds bytes that are not UTF-8", async () => {
  const item = {
    time_bucket: "2026-02-03T00:00:00Z",
    dimensions: { workspace_name: "caf\u00e9" },
    traces: 1,
  };
  const json = Buffer.from(JSON.stringify({ stride: { days: 1, hours: 0 }, usage: [item] }), "latin1");
  const { url } = await startUsageServer({ report: (response) => void response.end(json) });
  const { usage, workspace } = await startUsage();

  const run = await usage({ base_url: url, json_file: "usage.json" });

  expect(run.succeeded).toBe(true);
  expect(readFileSync(join(workspace, "usage.json"))).toEqual(json);
});

test.each(["text/html", "application/json"])(
  "%s in place of the CSV fails the step, and makes no file",
  async (type) => {
    const { usage, emulator, files } = await startUsage(lines);
    const page = { headers: { "content-type": type }, body: "{}" };
    emulator.addFault(answer({ ...match, times: "always" }, 200, page));

    const run = await usage({ csv_file: "usage.csv" });

    expect(run.succeeded).toBe(false);
    expect(run.errors.join()).toContain(type);
    expect(files()).toEqual([]);
  },
);

test("the CSV keeps bytes that are not UTF-8, and the JSON the white space around it", async () => {
  const json = Buffer.from(' {"stride":{"days":1},"usage":[], "note":"ü"}\r\n');
  const csv = Buffer.from('\ufeff"Time Bucket Start",Traces\n\xff\xfe\u0000,1', "latin1");
  const { url, requests } = await startUsageServer({
    report: (response) => response.end(json),
    csv: (response) => response.end(csv),
  });
  const { usage, workspace } = await startUsage();

  const run = await usage({ base_url: url, json_file: "a", csv_file: "b" });

  expect(run.errors).toEqual([]);
  expect(readFileSync(join(workspace, "a"))).toEqual(json);
  expect(readFileSync(join(workspace, "b"))).toEqual(csv);
  expect(requests.map(({ headers }) => headers["accept-encoding"])).toEqual(["identity", "identity"]);
});

test("a file may have an absolute path in a new directory, and replaces an existing one", async () => {
  const { usage, workspace, files } = await startUsage(lines);
  writeFileSync(join(workspace, "old.csv"), "last month's");

  const run = await usage({ json_file: join(workspace, "new/er/usage.json"), csv_file: "old.csv" });

  expect(run.succeeded).toBe(true);
  expect(files()).toEqual(["new/er/usage.json", "old.csv"]);
  expect(readFileSync(join(workspace, "old.csv"), "utf8")).toContain("Time Bucket Start");
});

test("a file whose directory can't be created fails the step, which names the input", async () => {
  const { usage, workspace, files } = await startUsage(lines);
  writeFileSync(join(workspace, "file"), "");

  const run = await usage({ csv_file: "file/usage.csv" });

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/Could not write the file of csv_file.*Check csv_file/)]);
  expect(run.outputs).toHaveProperty("total_traces", "7");
  expect(run.outputs).not.toHaveProperty("csv_file");
  expect(files()).toEqual(["file"]);
});

test("a file that is the name of a directory fails the step, which says so", async () => {
  const { usage, workspace, files } = await startUsage(lines);
  mkdirSync(join(workspace, "reports"));

  const run = await usage({ json_file: "reports" });

  expect(run.errors).toEqual([expect.stringContaining("Check json_file: it must not be a folder")]);
  expect(files()).toEqual([]);
});

test.each<[string, Omit<FaultRule & { kind: "cut" }, "kind">]>([
  ["before the end of its content-length", {}],
  ["between two chunks", { framing: "chunked" }],
  ["before its first byte", { bytes: 0 }],
  ["before its last byte", { bytes: 200 }],
])("a CSV export that is always cut %s fails and leaves no file", async (_, fault) => {
  const { usage, files, emulator } = await startUsage(lines);
  emulator.addFault({ ...fault, kind: "cut", match: { ...match, times: "always" } });

  const run = await usage({ json_file: "usage.json", csv_file: "usage.csv" });

  expect(run.succeeded).toBe(false);
  expect(run.requests).toHaveLength(6);
  expect(run.errors).toEqual([expect.stringMatching(/export: the connection failed: .* Check base_url/)]);
  expect(run.outputs).toMatchObject({ total_traces: "7", json_file: expect.anything() });
  expect(run.outputs).not.toHaveProperty("csv_file");
  expect(run.summary).toContain("| Traces | 7 |");
  expect(files()).toEqual(["usage.json"]);
});

test("a CSV export that is cut does not replace an existing file", async () => {
  const { usage, files, emulator, workspace } = await startUsage(lines);
  writeFileSync(join(workspace, "usage.csv"), "last month's");
  emulator.addFault({ kind: "cut", match: { ...match, times: "always" } });

  const run = await usage({ csv_file: "usage.csv" });

  expect(run.succeeded).toBe(false);
  expect(files()).toEqual(["usage.csv"]);
  expect(readFileSync(join(workspace, "usage.csv"), "utf8")).toBe("last month's");
});

test.each<[string, FaultRule]>([
  ["a reset", { kind: "reset", match }],
  ["a cut", { kind: "cut", match, bytes: 200 }],
  ["a 503", answer(match, 503, { body: { detail: "later" } })],
  ["a 429", answer(match, 429, { headers: { "retry-after": "20" } })],
])("a CSV export is retried after %s", async (_, fault) => {
  const { usage, files, emulator } = await startUsage(lines);
  emulator.addFault(fault);

  const run = await usage({ csv_file: "usage.csv" });

  expect(run.succeeded).toBe(true);
  expect(files()).toEqual(["usage.csv"]);
  expect(run.requests).toHaveLength(3);
});

test.each([
  ["before", ""],
  ["within", csvHeader],
])("a CSV export fails if it is silent for request_timeout_seconds %s its response", async (_, begin) => {
  const passTime = holdTimeouts();
  let attempts = 0;
  const { url } = await startUsageServer({
    csv: (response) => {
      attempts += 1;
      if (begin !== "") response.write(begin);
    },
  });
  const { start, until, files, workspace } = await startUsage();
  const received = () => files().map((file) => readFileSync(join(workspace, file), "utf8"));

  const { ended } = start({ base_url: url, csv_file: "usage.csv", request_timeout_seconds: "0.05" });
  for (const attempt of [1, 2, 3, 4, 5]) {
    await until(() => attempts === attempt && received().join() === begin);
    passTime(50);
  }
  const run = await ended;

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([expect.stringMatching(/no data for 0.05 s.*request_timeout_seconds/)]);
  expect(files()).toEqual([]);
});

test("a usage run that is cancelled during the export leaves the complete file alone", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { url } = await startUsageServer({
    csv: (response) => void response.write(csvHeader + "x".repeat(300_000), () => resolve()),
  });
  const { start, files } = await startUsage();

  const { context, ended } = start({ base_url: url, csv_file: "usage.csv", json_file: "usage.json" });
  await begun;
  const filesMeanwhile = files();
  context.cancel(new CancelledError("SIGINT"));
  const run = await ended;

  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/^The run was cancelled \(SIGINT\)\. .*What to do next: If a newer run/),
  ]);
  expect(run.summary).toContain("## 🚫 Usage: cancelled\n");
  expect(filesMeanwhile).toEqual([expect.stringMatching(/^\.usage-.*\.partial$/), "usage.json"]);
  expect(files()).toEqual(["usage.json"]);
});

test("the heartbeat says that the export is still being received", async () => {
  const { promise: held, resolve: finish } = Promise.withResolvers<void>();
  const { url } = await startUsageServer({
    csv: (response) => {
      response.write(csvHeader);
      void held.then(() => response.end());
    },
  });
  const { start, clock } = await startUsage();
  const { context, ended } = start({ base_url: url, csv_file: "usage.csv" });
  const isSaid = () =>
    context.recorded.lines.some(({ text }) => /^\[.*still receiving the CSV export/.test(text));

  while (!isSaid()) await clock.sleep(60_000, new AbortController().signal);
  finish();

  expect((await ended).succeeded).toBe(true);
});
