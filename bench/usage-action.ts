/**
 * The bundled usage action beside curl, at size: both write the same responses of the same servers to files, in turn.
 * Ends with 1 if a goal is missed.
 *
 *     node bench/usage-action.ts [MEGABYTES]
 *
 * MEGABYTES (default 1000) is the size of the CSV export.
 */
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
import { USAGE_EXPORT_PATH, USAGE_PATH } from "../src/usage/schemas.ts";
import { runNode } from "./support/process.ts";
import { markdownTable } from "./support/table.ts";
import { query, startIdleServer, usageLines } from "./support/usage.ts";

/** The fastest counts: other work of the machine only ever adds to it. */
const rounds = 3;
/** Near the limit of 64 MiB. */
const reportMegabytes = 60;
const goals = { minRatio: 0.8, maxMegabytes: 150 };

interface Download {
  readonly what: string;
  readonly url: string;
  readonly file: "json" | "csv";
}

interface Figures {
  readonly what: string;
  readonly bytes: number;
  readonly curlSeconds: number;
  readonly actionSeconds: number;
  readonly peakMegabytes: number;
  /** Whether both files have the same bytes. */
  readonly same: boolean;
}

const paths = { json: USAGE_PATH, csv: USAGE_EXPORT_PATH };

/** Seconds that curl takes. */
async function curl({ url, file }: Download, folder: string): Promise<number> {
  const address = `${url}${paths[file]}?${new URLSearchParams(query)}`;
  const options = ["--silent", "--fail", "-H", "x-api-key: local-api-key", "-o", join(folder, file)];
  const began = performance.now();
  const [code] = await once(spawn("curl", [...options, address], { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return (performance.now() - began) / 1000;
}

async function action({ url, file }: Download, folder: string) {
  const inputs = { base_url: url, api_key: "local-api-key", ...query, [`${file}_file`]: join(folder, file) };
  const environment = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const run = await runNode([join(root, "dist", "usage.js")], Object.fromEntries(environment), true);
  if (run.exitCode !== 0) throw new Error(`the action ended with ${run.exitCode}; is dist/ built?`);
  return { seconds: run.milliseconds / 1000, peakMegabytes: run.peakMegabytes ?? Number.NaN };
}

async function measure(download: Download, folder: string): Promise<Figures> {
  const curlSeconds: number[] = [];
  const actionSeconds: number[] = [];
  const peaks: number[] = [];
  let [same, bytes] = [true, 0];
  for (let round = 0; round < rounds; round += 1) {
    const folders = [mkdtempSync(join(folder, "curl-")), mkdtempSync(join(folder, "action-"))] as const;
    curlSeconds.push(await curl(download, folders[0]));
    const run = await action(download, folders[1]);
    actionSeconds.push(run.seconds);
    peaks.push(run.peakMegabytes);
    const [one, other] = folders.map((place) => join(place, download.file));
    if (one === undefined || other === undefined) throw new Error("two files are compared");
    same &&= (await digest(one)) === (await digest(other));
    bytes = statSync(one).size;
    for (const place of folders) rmSync(place, { recursive: true });
  }
  return {
    what: download.what,
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

interface AllFigures {
  readonly report: Figures;
  /** The one with the goals. */
  readonly emulatorCsv: Figures;
  readonly idleCsv: Figures;
}

async function measureAll(folder: string, megabytes: number): Promise<AllFigures> {
  const usageFile = join(folder, "usage.jsonl");
  await pipeline(Readable.from(usageLines(megabytes)), createWriteStream(usageFile));
  const emulator = await startEmulator({ usageFile, dataFile: join(folder, "emulator.db") });
  rmSync(usageFile);
  // The action always requests the report too, and curl does not, so for a CSV it is empty.
  const match = { path: `${USAGE_PATH}$`, times: "always" } as const;
  const body = { stride: { days: 1, hours: 0 }, usage: [] };
  emulator.addFault({ kind: "answer", match, status: 200, body });
  const idleReport = await startIdleServer(reportMegabytes, 0);
  const idleCsv = await startIdleServer(0, megabytes);
  try {
    return {
      report: await measure({ what: "report, idle server", url: idleReport.url, file: "json" }, folder),
      emulatorCsv: await measure({ what: "CSV export, emulator", url: emulator.url, file: "csv" }, folder),
      idleCsv: await measure({ what: "CSV export, idle server", url: idleCsv.url, file: "csv" }, folder),
    };
  } finally {
    await Promise.all([emulator.close(), idleReport.close(), idleCsv.close()]);
  }
}

function table(figures: readonly Figures[]): string {
  const rate = (bytes: number, seconds: number) =>
    `${seconds.toFixed(2)} s, ${Math.round(bytes / 1e6 / seconds)} MB/s`;
  return markdownTable(
    ["Download", "Size", "curl", "Action", "Of curl's speed", "Peak memory", "Same bytes"],
    figures.map(({ what, bytes, curlSeconds, actionSeconds, peakMegabytes, same }) => [
      what,
      `${Math.round(bytes / 1e6)} MB`,
      rate(bytes, curlSeconds),
      rate(bytes, actionSeconds),
      `${Math.round((100 * curlSeconds) / actionSeconds)} %`,
      `${Math.round(peakMegabytes)} MB`,
      same ? "yes" : "NO",
    ]),
  );
}

function missedGoals({ report, emulatorCsv, idleCsv }: AllFigures): string[] {
  const differing = [report, emulatorCsv, idleCsv].filter(({ same }) => !same);
  const missed = differing.map(({ what }) => `${what}: the bytes differ from curl's`);
  const { curlSeconds, actionSeconds, peakMegabytes } = emulatorCsv;
  const ratio = curlSeconds / actionSeconds;
  if (ratio < goals.minRatio) missed.push(`the action reaches ${Math.round(100 * ratio)} % of curl's speed`);
  if (peakMegabytes >= goals.maxMegabytes) missed.push(`peak memory is ${Math.round(peakMegabytes)} MB`);
  return missed;
}

const folder = mkdtempSync(join(tmpdir(), "usage-action-"));
try {
  const figures = await measureAll(folder, Number(process.argv[2] ?? 1000));
  console.log(table([figures.report, figures.emulatorCsv, figures.idleCsv]));
  for (const goal of missedGoals(figures)) {
    console.error(`goal missed: ${goal}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
