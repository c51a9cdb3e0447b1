/**
 * The bundled usage action beside curl, at size: the same answers of the same servers to files, in turn. Ends with 1
 * where a goal is missed.
 *
 *     node bench/usage-action.ts [MEGABYTES]
 *
 * MEGABYTES (default 1000) is how large the CSV export is.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startEmulator } from "../emulator/server.ts";
import { root } from "../scripts/support/run.ts";
import { USAGE_EXPORT_PATH, USAGE_PATH } from "../src/usage/schemas.ts";
import { runNode } from "./support/process.ts";
import { markdownTable } from "./support/table.ts";
import { query, startIdleServer, usageLines } from "./support/usage.ts";

/** The fastest counts: what else the machine does only ever adds. */
const rounds = 3;
const goals = { leastRatio: 0.8, mostMegabytes: 150 };

/** What is downloaded, and from where. */
interface Case {
  readonly what: string;
  readonly url: string;
  readonly files: readonly ("json" | "csv")[];
}

interface Figures {
  readonly what: string;
  readonly bytes: number;
  readonly curlSeconds: number;
  readonly actionSeconds: number;
  readonly peakMegabytes: number;
  readonly same: boolean;
}

const paths = { json: USAGE_PATH, csv: USAGE_EXPORT_PATH };

/** Seconds that curl takes to download the same as the action, as one process. */
async function curl({ url, files }: Case, folder: string): Promise<number> {
  const parameters = new URLSearchParams(query);
  const downloads = files.flatMap((file) => ["-o", join(folder, file), `${url}${paths[file]}?${parameters}`]);
  const began = performance.now();
  const child = spawn("curl", ["--silent", "--fail", "-H", "x-api-key: local-api-key", ...downloads], {
    stdio: "inherit",
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return (performance.now() - began) / 1000;
}

async function action({ url, files }: Case, folder: string) {
  const inputs = { base_url: url, api_key: "local-api-key", ...query };
  const fileInputs = files.map((file) => [`${file}_file`, join(folder, file)]);
  const environment = [...Object.entries(inputs), ...fileInputs].map(([name, value]) => [
    `INPUT_${name?.toUpperCase()}`,
    value,
  ]);
  const run = await runNode([join(root, "dist", "usage.js")], Object.fromEntries(environment), true);
  if (run.exitCode !== 0) throw new Error(`the action ended with ${run.exitCode}; is dist/ built?`);
  return { seconds: run.milliseconds / 1000, peakMegabytes: run.peakMegabytes ?? Number.NaN };
}

async function measure(each: Case, folder: string): Promise<Figures> {
  const curlSeconds: number[] = [];
  const actionSeconds: number[] = [];
  const peaks: number[] = [];
  let [same, bytes] = [true, 0];
  for (let round = 0; round < rounds; round += 1) {
    const folders = [mkdtempSync(join(folder, "curl-")), mkdtempSync(join(folder, "action-"))] as const;
    curlSeconds.push(await curl(each, folders[0]));
    const run = await action(each, folders[1]);
    actionSeconds.push(run.seconds);
    peaks.push(run.peakMegabytes);
    for (const file of each.files) {
      const [one, other] = await Promise.all(folders.map((place) => digest(join(place, file))));
      same &&= one === other;
    }
    bytes = each.files.reduce((sum, file) => sum + statSync(join(folders[0], file)).size, 0);
    for (const place of folders) rmSync(place, { recursive: true });
  }
  return {
    what: each.what,
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

async function measureAll(folder: string, megabytes: number): Promise<Figures[]> {
  const usageFile = join(folder, "usage.jsonl");
  await pipeline(Readable.from(usageLines(megabytes)), createWriteStream(usageFile));
  const emulator = await startEmulator({ usageFile, dataFile: join(folder, "emulator.db") });
  rmSync(usageFile);
  const idle = await startIdleServer(megabytes);
  try {
    const both = { what: "report and export, emulator", url: emulator.url, files: ["json", "csv"] } as const;
    const figures = [await measure(both, folder)];
    // The action always asks for the report too; here for one that takes no time, as curl doesn't ask for it.
    const match = { path: `${USAGE_PATH}$`, times: "always" } as const;
    emulator.misbehave({
      kind: "answer",
      match,
      status: 200,
      body: { stride: { days: 1, hours: 0 }, usage: [] },
    });
    const files = ["csv"] as const;
    figures.push(await measure({ what: "export alone, emulator", url: emulator.url, files }, folder));
    figures.push(await measure({ what: "export alone, idle server", url: idle.url, files }, folder));
    return figures;
  } finally {
    await emulator.close();
    await idle.close();
  }
}

function table(figures: readonly Figures[]): string {
  const rate = (bytes: number, seconds: number) =>
    `${seconds.toFixed(2)} s, ${Math.round(bytes / 1e6 / seconds)} MB/s`;
  return markdownTable(
    ["Downloaded", "Size", "curl", "Action", "curl's speed reached", "Peak memory", "Same bytes"],
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

/** What the emulator's export has to reach, and that bytes are the same everywhere. */
function missedGoals(figures: readonly Figures[]): string[] {
  const [, exported] = figures;
  if (exported === undefined) throw new Error("nothing was measured");
  const missed = figures
    .filter(({ same }) => !same)
    .map(({ what }) => `${what}: the bytes differ from curl's`);
  const ratio = exported.curlSeconds / exported.actionSeconds;
  if (ratio < goals.leastRatio)
    missed.push(`the action reaches ${Math.round(100 * ratio)} % of curl's speed`);
  if (exported.peakMegabytes >= goals.mostMegabytes)
    missed.push(`peak memory is ${Math.round(exported.peakMegabytes)} MB`);
  return missed;
}

const folder = mkdtempSync(join(tmpdir(), "usage-action-"));
try {
  const figures = await measureAll(folder, Number(process.argv[2] ?? 1000));
  console.log(table(figures));
  for (const goal of missedGoals(figures)) {
    console.error(`goal missed: ${goal}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
