/**
 * The emulator's usage side at size: import, reports and the export over HTTP, and the peak memory of it all.
 *
 *     node bench/usage-emulator.ts [ROWS]
 *
 * ROWS (default ten million) is how many trace rows over a year the usage file has.
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
import { USAGE_EXPORT_PATH, USAGE_PATH } from "../src/usage/schemas.ts";
import { peakMegabytes } from "./support/process.ts";
import { seededRandom } from "./support/random.ts";

const START = Date.parse("2026-01-05T00:00:00Z");
const SECONDS_A_YEAR = 365 * 86_400;
const WORKSPACES = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const [PROJECTS, USERS, KEYS] = [200, 20_000, 100];

function* usageFileParts(rows: number): Generator<string> {
  const fraction = seededRandom(1);
  const random = (limit: number) => Math.floor(fraction() * limit);
  let part = "";
  for (let row = 0; row < rows; row += 1) {
    const [project, user, key] = [random(PROJECTS), random(USERS), random(KEYS)];
    const line = {
      time: new Date(START + random(SECONDS_A_YEAR) * 1000).toISOString(),
      workspace_id: WORKSPACES[project % WORKSPACES.length],
      workspace_name: `Workspace ${project % WORKSPACES.length}`,
      project_id: `project-${project}`,
      project_name: `Project ${project}`,
      user_id: `user-${user}`,
      user_email: user % 10 === 0 ? undefined : `user-${user}@agents.example`,
      api_key_short_key: `key-${key}`,
      traces: 1 + random(9),
    };
    part += `${JSON.stringify(line)}\n`;
    if (part.length > 1 << 20) {
      yield part;
      part = "";
    }
  }
  yield part;
}

interface Measurement {
  readonly what: string;
  readonly firstByteSeconds?: number;
  readonly seconds: number;
  readonly bytes: number;
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}

async function get(base: string, path: string, what: string, query: string): Promise<Measurement> {
  const workspaces = WORKSPACES.map((id) => `workspace_ids=${id}`).join("&");
  const began = performance.now();
  const response = await fetch(`${base}${path}?${query}&${workspaces}`, {
    headers: { "X-Api-Key": "local-api-key" },
  });
  if (!response.ok || response.body === null) throw new Error(`${what}: ${await response.text()}`);
  let bytes = 0;
  let firstByteSeconds = 0;
  for await (const chunk of response.body) {
    if (bytes === 0) firstByteSeconds = seconds(began);
    bytes += chunk.length;
  }
  return { what, firstByteSeconds, seconds: seconds(began), bytes };
}

async function measure(folder: string, rows: number): Promise<void> {
  const file = join(folder, "usage.jsonl");
  await pipeline(Readable.from(usageFileParts(rows)), createWriteStream(file));
  const { size } = await stat(file);

  const began = performance.now();
  const args = ["--port", "0", "--data", join(folder, "emulator.db"), "--usage", file];
  const emulator = spawn(process.execPath, ["emulator/cli.ts", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: emulator.stdout }), "line");
  const base = String(line).replace(/^.* /, "");
  const table: Measurement[] = [{ what: `import of ${rows} rows`, seconds: seconds(began), bytes: size }];
  const afterImport = await peakMegabytes(emulator);

  const year = "start_time=2026-01-05&end_time=2027-01-05";
  const month = "start_time=2026-02-01&end_time=2026-03-01";
  for (const groupBy of ["workspace", "project", "user", "api_key"]) {
    table.push(await get(base, USAGE_PATH, `year by ${groupBy}, JSON`, `${year}&group_by=${groupBy}`));
  }
  table.push(await get(base, USAGE_EXPORT_PATH, "year by project, CSV", `${year}&group_by=project`));
  table.push(await get(base, USAGE_EXPORT_PATH, "February by user and day, CSV", `${month}&group_by=user`));
  const afterReports = await peakMegabytes(emulator);
  emulator.kill();
  await once(emulator, "close");

  for (const { what, firstByteSeconds, seconds, bytes } of table) {
    const first = firstByteSeconds === undefined ? "" : `, first byte after ${firstByteSeconds.toFixed(2)} s`;
    console.log(
      `${what.padEnd(32)} ${seconds.toFixed(2).padStart(7)} s ${(bytes / 1e6).toFixed(1).padStart(8)} MB${first}`,
    );
  }
  const [imported, reported] = [afterImport, afterReports].map((peak) => peak?.toFixed(0) ?? "unknown");
  console.log(`peak memory: ${imported} MB after the import, ${reported} MB after the reports`);
}

const folder = await mkdtemp(join(tmpdir(), "usage-emulator-"));
try {
  await measure(folder, Number(process.argv[2] ?? 10_000_000));
} finally {
  await rm(folder, { recursive: true, force: true });
}
