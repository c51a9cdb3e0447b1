/**
 * The emulator's usage API with many rows: the import, reports and exports over HTTP, and the peak memory.
 *
 *     node bench/usage-emulator.ts [ROWS]
 *
 * The usage file has ROWS rows (default: one million) over a year, in order of time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GroupBySchema, USAGE_EXPORT_PATH, USAGE_PATH } from "../src/usage/schemas.ts";
import { peakMegabytes } from "./support/process.ts";
import { seededRandom } from "./support/random.ts";

const start = Date.parse("2026-01-05T00:00:00Z");
const yearMs = 365 * 86_400_000;
const workspaces = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const [projects, users, keys] = [200, 20_000, 100];

function* usageLines(rows: number): Generator<string> {
  const fraction = seededRandom(1);
  const random = (limit: number) => Math.floor(fraction() * limit);
  for (let row = 0; row < rows; row += 1) {
    const [project, user, key] = [random(projects), random(users), random(keys)];
    const line = {
      time: new Date(start + Math.floor((row / rows) * yearMs)).toISOString(),
      workspace_id: workspaces[project % workspaces.length],
      workspace_name: `Workspace ${project % workspaces.length}`,
      project_id: `project-${project}`,
      project_name: `Project ${project}`,
      user_id: `user-${user}`,
      user_email: user % 10 === 0 ? undefined : `user-${user}@agents.example`,
      api_key_short_key: `key-${key}`,
      traces: 1 + random(9),
    };
    yield `${JSON.stringify(line)}\n`;
  }
}

interface Measurement {
  readonly what: string;
  readonly firstByteSeconds?: number;
  readonly seconds: number;
  readonly bytes: number;
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}

async function download(what: string, url: string): Promise<Measurement> {
  const began = performance.now();
  const response = await fetch(url, { headers: { "X-Api-Key": "local-api-key" } });
  if (!response.ok || response.body === null) throw new Error(`${what}: ${await response.text()}`);
  let bytes = 0;
  let firstByteSeconds = 0;
  for await (const chunk of response.body) {
    if (bytes === 0) firstByteSeconds = secondsSince(began);
    bytes += chunk.length;
  }
  return { what, firstByteSeconds, seconds: secondsSince(began), bytes };
}

async function measure(folder: string, rows: number): Promise<void> {
  const file = join(folder, "usage.jsonl");
  await pipeline(Readable.from(usageLines(rows)), createWriteStream(file));
  const { size } = await stat(file);

  const began = performance.now();
  const args = ["--port", "0", "--data", join(folder, "emulator.db"), "--usage", file];
  const emulator = spawn(process.execPath, ["emulator/cli.ts", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: emulator.stdout }), "line");
  const base = String(line).replace(/^.* /, "");
  report({ what: `import of ${rows} rows`, seconds: secondsSince(began), bytes: size });
  const importPeak = await peakMegabytes(emulator);

  const ids = workspaces.map((id) => `workspace_ids=${id}`).join("&");
  const year = `start_time=2026-01-05&end_time=2027-01-05&${ids}`;
  const month = `start_time=2026-02-01&end_time=2026-03-01&${ids}`;
  for (const groupBy of GroupBySchema.options) {
    report(await download(`year by ${groupBy}, JSON`, `${base}${USAGE_PATH}?${year}&group_by=${groupBy}`));
  }
  report(await download("year by project, CSV", `${base}${USAGE_EXPORT_PATH}?${year}&group_by=project`));
  report(await download("February by user, CSV", `${base}${USAGE_EXPORT_PATH}?${month}&group_by=user`));
  const peak = await peakMegabytes(emulator);
  emulator.kill();
  await once(emulator, "close");
  const [imported, reported] = [importPeak, peak].map((megabytes) => megabytes?.toFixed(0) ?? "unknown");
  console.log(`peak memory: ${imported} MB after the import, ${reported} MB after the reports`);
}

function report({ what, firstByteSeconds, seconds, bytes }: Measurement): void {
  const first = firstByteSeconds === undefined ? "" : `, first byte after ${firstByteSeconds.toFixed(2)} s`;
  console.log(
    `${what.padEnd(32)} ${seconds.toFixed(2).padStart(7)} s ${(bytes / 1e6).toFixed(1).padStart(8)} MB${first}`,
  );
}

const folder = await mkdtemp(join(tmpdir(), "usage-emulator-"));
try {
  await measure(folder, Number(process.argv[2] ?? 1_000_000));
} finally {
  await rm(folder, { recursive: true, force: true });
}
