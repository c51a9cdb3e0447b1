import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, root, run } from "../scripts/support/run.ts";
import type { Measurement } from "./support/measurement.ts";

const maxInstallMegabytes = 550;
const maxTestSeconds = 120;

/** What `npm ci` writes to the disk of someone who changes the project. */
export async function measureInstall(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "bench-install-"));
  try {
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, name), join(folder, name));
    await mustRun("npm", ["ci", "--silent", "--no-audit", "--no-fund", "--prefix", folder]);
    const megabytes = (await folderBytes(join(folder, "node_modules"))) / 1_000_000;
    return [
      {
        what: "npm ci",
        figure: `${megabytes.toFixed(0)} MB`,
        goal: `at most ${maxInstallMegabytes} MB`,
        isMissed: megabytes > maxInstallMegabytes,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In bytes, as the files have them on the disk; a file with several names counts once. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)));
  const bytesOf = new Map(files.map(({ ino, blocks }) => [ino, blocks * 512]));
  return [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** How long `npm test` takes, whose output is shown. Failed tests miss the goal too. */
export async function measureTests(): Promise<Measurement> {
  const began = performance.now();
  const code = await run("npm", ["test"]);
  const seconds = (performance.now() - began) / 1000;
  return [
    {
      what: "npm test",
      figure: `${seconds.toFixed(0)} s${code === 0 ? "" : `, ended with ${code}`}`,
      goal: `at most ${maxTestSeconds} s`,
      isMissed: code !== 0 || seconds > maxTestSeconds,
    },
  ];
}
