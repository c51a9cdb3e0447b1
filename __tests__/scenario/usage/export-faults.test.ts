import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { CancelledError } from "../../../src/errors.ts";
import { usageLine } from "../../emulator/support/usage.ts";
import { csvHeader, startRawServer } from "./support/raw-server.ts";
import { startUsage } from "./support/usage-scenario.ts";

const lines = [usageLine({ traces: 7 })];
const exportPath = "/export$";

test.each<[string, RuleInput]>([
  ["cut short of its content-length", { kind: "cut", match: { path: exportPath } }],
  ["cut between two chunks", { kind: "cut", match: { path: exportPath }, framing: "chunked" }],
  ["cut before its first byte", { kind: "cut", match: { path: exportPath }, bytes: 0 }],
  ["cut before its last byte", { kind: "cut", match: { path: exportPath }, bytes: 200 }],
])("an export that is %s leaves no file and fails, and isn't begun again", async (_, rule) => {
  const { usage, files, emulator } = await startUsage(lines);
  emulator.misbehave(rule);
  const run = await usage({ json_file: "usage.json", csv_file: "usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(files()).toEqual(["usage.json"]);
  expect(run.errors).toEqual([expect.stringMatching(/export: the connection failed: .* Check base_url/)]);
  expect(run.outputs).toMatchObject({ total_traces: "7", json_file: expect.anything() });
  expect(run.outputs).not.toHaveProperty("csv_file");
  expect(run.requests).toHaveLength(2);
  expect(run.summary).toContain("7 traces");
  expect(run.summary).toMatch(/\| `csv_file` \| .*not written \|/);
});

test("an earlier file stays as it was when its successor is cut", async () => {
  const { usage, files, emulator, workspace } = await startUsage(lines);
  writeFileSync(join(workspace, "usage.csv"), "last month's");
  emulator.misbehave({ kind: "cut", match: { path: exportPath } });
  expect((await usage({ csv_file: "usage.csv" })).succeeded).toBe(false);
  expect(files()).toEqual(["usage.csv"]);
  expect(readFileSync(join(workspace, "usage.csv"), "utf8")).toBe("last month's");
});

test.each<[string, RuleInput]>([
  ["reset", { kind: "reset", match: { path: exportPath } }],
  [
    "an answer of 503",
    { kind: "answer", match: { path: exportPath }, status: 503, body: { detail: "later" } },
  ],
  [
    "an answer of 429",
    { kind: "answer", match: { path: exportPath }, status: 429, headers: { "retry-after": "20" } },
  ],
])("an export is asked for again after %s", async (_, rule) => {
  const { usage, files, emulator } = await startUsage(lines);
  emulator.misbehave(rule);
  const run = await usage({ csv_file: "usage.csv" });
  expect(run.succeeded).toBe(true);
  expect(files()).toEqual(["usage.csv"]);
  expect(run.requests).toHaveLength(3);
});

test.each([
  ["HTML", "text/html", "<html>\n<body>Please sign in</body></html>"],
  ["nothing", "text/csv", ""],
  ["JSON", "application/json", '{"detail":"not today"}'],
  ["a first line without end", "text/csv", "x".repeat(10_000)],
])("%s with a 200 is not taken for the export", async (_, type, body) => {
  const { url } = await startRawServer({
    export: (response) => response.setHeader("content-type", type).end(body),
    report: (response) => response.end('{"stride":{"days":1,"hours":0},"usage":[]}'),
  });
  const { usage, files } = await startUsage();
  const run = await usage({ base_url: url, csv_file: "usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/answered with 200, but the body is not the CSV export.*base_url/),
  ]);
  expect(files()).toEqual([]);
});

test.each(["report", "export"])("a part of the %s (206) is not taken for the whole", async (part) => {
  const whole = '{"stride":{"days":1,"hours":0},"usage":[]}';
  const { url } = await startRawServer({
    report: (response) => response.writeHead(part === "report" ? 206 : 200).end(whole),
    export: (response) => response.writeHead(206, { "content-range": "bytes 0-149/169" }).end(csvHeader),
  });
  const { usage, files } = await startUsage();
  const run = await usage({ base_url: url, csv_file: "usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/answered with 206, but a part of an answer wasn't asked for.*base_url/),
  ]);
  expect(run.outputs).not.toHaveProperty("csv_file");
  expect(files()).toEqual([]);
});

test("a silence longer than request_timeout_seconds fails, wherever it is", async () => {
  for (const begin of ["", csvHeader]) {
    const { url } = await startRawServer({
      report: (response) => response.end('{"stride":{"days":1,"hours":0},"usage":[]}'),
      export: (response) => {
        if (begin !== "") response.write(begin);
      },
    });
    const { usage, files } = await startUsage();
    const run = await usage({ base_url: url, csv_file: "usage.csv", request_timeout_seconds: "0.2" });
    expect(run.succeeded).toBe(false);
    expect(run.errors).toEqual([expect.stringMatching(/nothing came for 0.2 s.*request_timeout_seconds/)]);
    expect(files()).toEqual([]);
  }
});

test("an export that takes longer than request_timeout_seconds, but is never silent that long, succeeds", async () => {
  const { url } = await startRawServer({
    report: (response) => response.end('{"stride":{"days":1,"hours":0},"usage":[]}'),
    export: (response) => {
      response.write(csvHeader);
      let rows = 0;
      const more = setInterval(() => {
        response.write("row\r\n");
        rows += 1;
        if (rows < 8) return;
        clearInterval(more);
        response.end();
      }, 250);
    },
  });
  const { usage, workspace } = await startUsage();
  const run = await usage({ base_url: url, csv_file: "usage.csv", request_timeout_seconds: "1.5" });
  expect(run.errors).toEqual([]);
  expect(readFileSync(join(workspace, "usage.csv"), "utf8")).toBe(csvHeader + "row\r\n".repeat(8));
});

test("a cancel while the export arrives leaves nothing of it, and says so", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { url } = await startRawServer({
    report: (response) => response.end('{"stride":{"days":1,"hours":0},"usage":[]}'),
    export: (response) => {
      response.write(csvHeader + "x".repeat(300_000), () => resolve());
    },
  });
  const { start, files } = await startUsage();
  const { context, ended } = start({ base_url: url, csv_file: "usage.csv", json_file: "usage.json" });
  await begun;
  expect(files()).toEqual([expect.stringMatching(/^\.usage-.*\.partial$/), "usage.json"]);
  context.cancel(new CancelledError("SIGINT"));
  const run = await ended;
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    "The run was cancelled (SIGINT). json_file was written. csv_file was not written. A report changes nothing on the platform. Run the job again if it is still needed.",
  ]);
  expect(run.summary).toContain("## ❌ Usage: cancelled (0 traces)\n");
  expect(files()).toEqual(["usage.json"]);
});

test("while a report or an export arrives, the one sign of life each minute tells what came so far", async () => {
  const { promise: reportHeld, resolve: finishReport } = Promise.withResolvers<void>();
  const { promise: exportHeld, resolve: finishExport } = Promise.withResolvers<void>();
  const { url } = await startRawServer({
    report: (response) => {
      response.write(`{"note":"${"x".repeat(1_000_000)}",`);
      void reportHeld.then(() => response.end('"stride":{"days":1,"hours":0},"usage":[]}'));
    },
    export: (response) => {
      response.write(csvHeader + "x".repeat(2_000_000));
      void exportHeld.then(() => response.end());
    },
  });
  const { start, clock } = await startUsage();
  const { context, ended } = start({ base_url: url, csv_file: "usage.csv" });
  const signs = () => context.recorded.lines.map(({ text }) => text).filter((text) => text.startsWith("["));
  /** What was sent need not have arrived yet. */
  const passUntil = async (part: string) => {
    while (!signs().some((sign) => sign.includes(part))) {
      await clock.sleep(60_000, new AbortController().signal);
    }
  };
  await passUntil("1.0 MB of the usage report so far");
  finishReport();
  await passUntil("2.0 MB of the CSV export so far");
  finishExport();
  expect((await ended).succeeded).toBe(true);
  expect(signs()).toHaveLength(clock.elapsed() / 60_000);
  for (const [index, sign] of signs().slice(0, 20).entries()) {
    const what = "(the usage report|the CSV export)";
    expect(sign).toMatch(new RegExp(`^\\[${index + 1} min\\] \\S+ [kM]?B(ytes)? of ${what} so far$`, "i"));
  }
});
