import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startEmulator } from "../emulator/index.ts";
import { root } from "../scripts/support/run.ts";
import { usageExportPath, usagePath } from "../src/usage/schemas.ts";
import type { Measurement } from "./support/measurement.ts";
import { runNode } from "./support/process.ts";
import { query, usageLines } from "./support/usage.ts";

/** The fastest counts: other work of the machine only ever adds to it. */
const rounds = 3;
const exportMegabytes = 1000;
const goals = { minRatio: 0.8, maxMegabytes: 180 };

interface Figures {
  readonly bytes: number;
  readonly curlSeconds: number;
  readonly actionSeconds: number;
  readonly peakMegabytes: number;
  /** Whether both files have the same bytes. */
  readonly same: boolean;
}

/** Seconds that curl takes. */
async function curl(url: string, folder: string): Promise<number> {
  const address = `${url}${usageExportPath}?${new URLSearchParams(query)}`;
  const options = ["--silent", "--fail", "-H", "x-api-key: local-api-key", "-o", join(folder, "csv")];
  const began = performance.now();
  const [code] = await once(spawn("curl", [...options, address], { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return (performance.now() - began) / 1000;
}

async function action(url: string, folder: string) {
  const inputs = { base_url: url, api_key: "local-api-key", ...query, csv_file: join(folder, "csv") };
  const environment = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const run = await runNode([join(root, "dist", "usage.js")], Object.fromEntries(environment), true);
  if (run.exitCode !== 0) throw new Error(`the action ended with ${run.exitCode}; is dist/ built?`);
  return { seconds: run.milliseconds / 1000, peakMegabytes: run.peakMegabytes ?? Number.NaN };
}

async function measure(url: string, folder: string): Promise<Figures> {
  const curlSeconds: number[] = [];
  const actionSeconds: number[] = [];
  const peaks: number[] = [];
  let [same, bytes] = [true, 0];
  for (let round = 0; round < rounds; round += 1) {
    const folders = [mkdtempSync(join(folder, "curl-")), mkdtempSync(join(folder, "action-"))] as const;
    curlSeconds.push(await curl(url, folders[0]));
    const run = await action(url, folders[1]);
    actionSeconds.push(run.seconds);
    peaks.push(run.peakMegabytes);
    const [one, other] = folders.map((place) => join(place, "csv"));
    if (one === undefined || other === undefined) throw new Error("two files are compared");
    same &&= (await digest(one)) === (await digest(other));
    bytes = statSync(one).size;
    for (const place of folders) rmSync(place, { recursive: true });
  }
  return {
    bytes,
    curlSeconds: Math.min(...curlSeconds),
    actionSeconds: Math.min(...actionSeconds),
    peakMegabytes: Math.max(...peaks),
    same,
  };
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** The CSV export of the emulator at size, beside curl: both write it to a file, in turn. */
export async function measureExport(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "bench-export-"));
  try {
    const { bytes, curlSeconds, actionSeconds, peakMegabytes, same } = await measureIn(folder);
    const ratio = curlSeconds / actionSeconds;
    return [
      {
        what: `exporting ${Math.round(bytes / 1e6)} MB, of the speed of curl`,
        figure: `${actionSeconds.toFixed(2)} s, ${Math.round(100 * ratio)} %${same ? "" : ", other bytes"}`,
        goal: `at least ${100 * goals.minRatio} %, the same bytes`,
        isMissed: !same || !(ratio >= goals.minRatio),
      },
      {
        what: "memory: exporting",
        figure: `${peakMegabytes.toFixed(0)} MB`,
        goal: `at most ${goals.maxMegabytes} MB`,
        isMissed: !(peakMegabytes <= goals.maxMegabytes),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(folder: string): Promise<Figures> {
  const usageFile = join(folder, "usage.jsonl");
  await pipeline(Readable.from(usageLines(exportMegabytes)), createWriteStream(usageFile));
  const emulator = await startEmulator({ usageFile, dataFile: join(folder, "emulator.db") });
  rmSync(usageFile);
  // The action always requests the report too, and curl does not, so it is empty.
  const match = { path: `${usagePath}$`, times: "always" } as const;
  const body = { stride: { days: 1, hours: 0 }, usage: [] };
  emulator.addFault({ kind: "answer", match, status: 200, body });
  try {
    return await measure(emulator.url, folder);
  } finally {
    await emulator.close();
  }
}
