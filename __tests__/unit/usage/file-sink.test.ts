import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { FileSink } from "../../../src/usage/file-sink.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "file-sink-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function write(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "w");
  try {
    const sink = new FileSink(file);
    for (const chunk of chunks) await sink.write(chunk);
    await sink.end();
  } finally {
    await file.close();
  }
}

test("chunks of any size are written in their order", async () => {
  const path = join(folder, "file");
  const sizes = [0, 1, 70_000, 3, 300_000, 65_536, 65_536, 65_536, 65_536, 12];
  const chunks = sizes.map((size, index) => new Uint8Array(size).fill(index));
  const expected = Buffer.concat(chunks);
  await write(path, chunks);
  expect(readFileSync(path).equals(expected)).toBe(true);
});

test("nothing is an empty file", async () => {
  const path = join(folder, "file");
  await write(path, []);
  expect(readFileSync(path)).toHaveLength(0);
});

test("memory is given back, but not what belongs to others too", async () => {
  const own = new Uint8Array(100).fill(1);
  const pool = new Uint8Array(100).fill(2);
  await write(join(folder, "file"), [own, pool.subarray(0, 50)]);
  expect(own).toHaveLength(0);
  expect(pool).toHaveLength(100);
});

// Always full, so that every write fails (Linux).
const full = "/dev/full";
(existsSync(full) ? test : test.skip)(
  "a full disk is told by a later write or the end, also of the last bytes",
  async () => {
    const chunk = () => new Uint8Array(300_000);
    await expect(write(full, [chunk(), chunk(), chunk()])).rejects.toThrow("ENOSPC");
    await expect(write(full, [chunk()])).rejects.toThrow("ENOSPC");
    await expect(write(full, [new Uint8Array(1)])).rejects.toThrow("ENOSPC");
  },
);
