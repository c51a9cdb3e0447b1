import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { usageLine } from "../../emulator/support/usage.ts";
import { startRawServer } from "./support/raw-server.ts";
import { startUsage } from "./support/usage-scenario.ts";

const nasty = [
  usageLine({ project_name: 'comma, "quote"\r\n=formula', user_email: undefined, traces: 3 }),
  usageLine({ project_id: "ü", project_name: "日本 🌸", traces: 4 }),
];

test("both files are byte for byte what the platform sent", async () => {
  const { usage, emulator, workspace, files } = await startUsage(nasty);
  const run = await usage({ group_by: "project", json_file: "usage.json", csv_file: "usage.csv" });
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({
    json_file: join(workspace, "usage.json"),
    csv_file: join(workspace, "usage.csv"),
  });
  expect(run.requests.map(({ path }) => path.split("/").at(-1))).toEqual(["granular-usage", "export"]);
  expect(run.requests[1]?.query).toEqual(run.requests[0]?.query);
  const sent = await Promise.all(run.requests.map((request) => sameAgain(emulator.url, request)));
  expect(files()).toEqual(["usage.csv", "usage.json"]);
  expect([readFileSync(join(workspace, "usage.json")), readFileSync(join(workspace, "usage.csv"))]).toEqual(
    sent,
  );
});

async function sameAgain(
  url: string,
  { path, query }: { path: string; query: Readonly<Record<string, readonly string[]>> },
): Promise<Buffer> {
  const parameters = Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]));
  const search = new URLSearchParams(Object.fromEntries(parameters));
  const response = await fetch(`${url}${path}?${search}`, { headers: { "x-api-key": "local-api-key" } });
  return Buffer.from(await response.arrayBuffer());
}

test("bytes that are no UTF-8 and white space around JSON come through as well", async () => {
  const json = Buffer.from(' {"stride":{"days":1},"usage":[], "note":"\xff"}\r\n', "latin1");
  const csv = Buffer.from('\ufeff"Time Bucket Start",Traces\n\xff\xfe\u0000,1', "latin1");
  const { url } = await startRawServer({
    report: (response) => response.end(json),
    export: (response) => response.end(csv),
  });
  const { usage, workspace } = await startUsage();
  const run = await usage({ base_url: url, json_file: "a", csv_file: "b" });
  expect(run.errors).toEqual([]);
  expect(readFileSync(join(workspace, "a"))).toEqual(json);
  expect(readFileSync(join(workspace, "b"))).toEqual(csv);
});

test("folders are made, absolute paths stay, and a file that is there is replaced", async () => {
  const { usage, workspace, files } = await startUsage(nasty);
  writeFileSync(join(workspace, "old.csv"), "last month's");
  const run = await usage({ json_file: join(workspace, "deep/er/usage.json"), csv_file: "old.csv" });
  expect(run.succeeded).toBe(true);
  expect(files()).toEqual(["deep/er/usage.json", "old.csv"]);
  expect(readFileSync(join(workspace, "old.csv"), "utf8")).toContain("Time Bucket Start");
});

test("a folder that can't be made fails, naming the input, and leaves nothing", async () => {
  const { usage, workspace, files } = await startUsage(nasty);
  writeFileSync(join(workspace, "file"), "");
  const run = await usage({ csv_file: "file/usage.csv" });
  expect(run.succeeded).toBe(false);
  expect(run.errors).toEqual([
    expect.stringMatching(/The file of csv_file could not be written.*Check csv_file/),
  ]);
  expect(run.outputs).not.toHaveProperty("csv_file");
  expect(files()).toEqual(["file"]);
  expect(run.summary).toContain("not written");
});

test("a name that became a folder meanwhile fails, and leaves nothing", async () => {
  const { start, workspace, files } = await startUsage(nasty);
  const { url } = await startRawServer({
    report: (response) => {
      mkdirSync(join(workspace, "usage.json"));
      response.end('{"stride":{"days":1,"hours":0},"usage":[]}');
    },
  });
  const run = await start({ base_url: url, json_file: "usage.json" }).ended;
  expect(run.errors).toEqual([expect.stringContaining("The file of json_file could not be written")]);
  expect(files()).toEqual([]);
});
