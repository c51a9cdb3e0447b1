import { execFileSync, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { startEmulator } from "../emulator/index.ts";
import { root } from "../scripts/support/run.ts";
import type { Measurement } from "./support/measurement.ts";
import { runNode } from "./support/process.ts";

/** The fastest counts: other work of the machine only ever adds to it. */
const rounds = 3;
/** Random bytes, which gzip can't make smaller: with what gzip adds it is near the limit of 200 MiB. */
const megabytes = 200;
const smallFiles = 1000;
const goals = { minRatio: 0.8, maxMegabytes: 150 };

function makeFolder(folder: string): void {
  const chunk = Buffer.alloc(1_000_000);
  const fill = () => randomFillSync(chunk);
  for (let file = 0; file < megabytes / 20; file += 1) {
    const path = join(folder, `large-${file}`);
    for (let part = 0; part < 20; part += 1) writeFileSync(path, fill(), { flag: "a" });
  }
  for (let file = 0; file < smallFiles; file += 1) {
    mkdirSync(join(folder, `folder-${file % 50}`), { recursive: true });
    writeFileSync(join(folder, `folder-${file % 50}`, `small-${file}.py`), `print(${file})\n`.repeat(100));
  }
  writeFileSync(join(folder, "langgraph.json"), '{ "graphs": { "agent": "./agent.py:graph" } }');
}

/** A store that takes archives and measures how long each took, in seconds. */
async function startStore(keepAs: string) {
  const seconds: number[] = [];
  const receive = async (request: IncomingMessage) => {
    const began = performance.now();
    // The first one is what curl sends later.
    if (seconds.length === 0) await pipeline(request, createWriteStream(keepAs));
    else for await (const _ of request);
    seconds.push((performance.now() - began) / 1000);
  };
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.end(),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the store has no port");
  return { url: `http://127.0.0.1:${address.port}/archive`, seconds, close: () => server.close() };
}

async function runAction(controlPlaneUrl: string, folder: string, dryRun: boolean) {
  const inputs = {
    ...{ control_plane_url: controlPlaneUrl, platform: "langsmith", api_key: "local-api-key", name: "agent" },
    ...{ workspace_id: "00000000-0000-4000-8000-000000000000", source_path: ".", dry_run: String(dryRun) },
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const env = { ...Object.fromEntries(variables), GITHUB_WORKSPACE: folder };
  return await runNode([join(root, "dist", "deploy.js")], env, true);
}

function tarSeconds(folder: string, archive: string): number {
  const began = performance.now();
  execFileSync("tar", ["czf", archive, "-C", folder, "."]);
  return (performance.now() - began) / 1000;
}

async function curl(archive: string, url: string): Promise<void> {
  const [code] = await once(spawn("curl", ["--silent", "--fail", "-T", archive, url]), "close");
  if (code !== 0) throw new Error(`curl ended with ${code}`);
}

async function measure(folder: string, work: string) {
  const archive = join(work, "archive.tar.gz");
  const store = await startStore(archive);
  const emulator = await startEmulator({ platform: "langsmith" });
  const answers = { upload_url: store.url, object_path: "archive" };
  emulator.addFault({
    kind: "answer",
    match: { path: "/upload-url$", times: "always" },
    status: 200,
    body: answers,
  });
  const figures = {
    tar: [] as number[],
    pack: [] as number[],
    curl: [] as number[],
    put: [] as number[],
    peak: [] as number[],
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      figures.tar.push(tarSeconds(folder, join(work, "tar.tar.gz")));
      const dry = await runAction(emulator.url, folder, true);
      if (dry.exitCode !== 0) throw new Error(`the action ended with ${dry.exitCode}; is dist/ built?`);
      figures.pack.push(dry.milliseconds / 1000);
      // It ends with a refused update, because the emulator has not got the archive.
      const run = await runAction(emulator.url, folder, false);
      figures.put.push(store.seconds.at(-1) ?? Number.NaN);
      figures.peak.push(run.peakMegabytes ?? Number.NaN);
      await curl(archive, store.url);
      figures.curl.push(store.seconds.at(-1) ?? Number.NaN);
    }
    return { ...figures, bytes: statSync(archive).size };
  } finally {
    store.close();
    await emulator.close();
  }
}

/** Packing and uploading at the size limit, beside `tar czf` and `curl -T` of the same archive to the same server. */
export async function measureUpload(): Promise<Measurement> {
  const work = mkdtempSync(join(tmpdir(), "bench-upload-"));
  try {
    const folder = join(work, "folder");
    mkdirSync(folder);
    makeFolder(folder);
    const { tar, pack, put, curl: curlSeconds, peak, bytes } = await measure(folder, work);
    const ratio = Math.min(...curlSeconds) / Math.min(...put);
    const peakMegabytes = Math.max(...peak);
    const size = `${(bytes / 2 ** 20).toFixed(0)} MiB`;
    const times = (theirs: readonly number[], ours: readonly number[]) =>
      `${Math.min(...ours).toFixed(2)} s, ${Math.round((100 * Math.min(...theirs)) / Math.min(...ours))} %`;
    return [
      { what: `packing ${size}, of the speed of tar`, figure: times(tar, pack), goal: "", isMissed: false },
      {
        what: `uploading ${size}, of the speed of curl`,
        figure: times(curlSeconds, put),
        goal: `at least ${100 * goals.minRatio} %`,
        isMissed: !(ratio >= goals.minRatio),
      },
      {
        what: "memory: packing and uploading",
        figure: `${peakMegabytes.toFixed(0)} MB`,
        goal: `at most ${goals.maxMegabytes} MB`,
        isMissed: !(peakMegabytes <= goals.maxMegabytes),
      },
    ];
  } finally {
    rmSync(work, { recursive: true });
  }
}
