import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { readError } from "./errors.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * The bytes of a tar of these files. The same files give the same bytes on every machine.
 *
 * @throws ActionError if a file can't be read or has changed since it was listed
 */
export async function* tarOf(folder: string, files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  const tar = pack();
  let current = folder;
  const addAll = async () => {
    for (const file of files) {
      current = file.path;
      await addFile(tar, join(folder, file.path), file);
    }
    tar.finalize();
  };
  addAll().catch((error: Error) => tar.destroy(error));
  try {
    yield* Readable.from(tar, { highWaterMark: 1 });
  } catch (cause) {
    throw readError(current, cause);
  }
}

/** A stream for each of many small files would take most of the time. */
const maxBytesAtOnce = 2 ** 16;

async function addFile(tar: Pack, path: string, file: SourceFile): Promise<void> {
  if (file.bytes > maxBytesAtOnce) {
    await pipeline(createReadStream(path, { highWaterMark: maxBytesAtOnce }), tar.entry(headerOf(file)));
    return;
  }
  const content = await readFile(path);
  await new Promise<void>((resolve, reject) => {
    const entry = tar.entry(headerOf(file), (error) => (error ? reject(error) : resolve()));
    entry.on("error", reject);
    entry.end(content);
  });
}

/**
 * The time of every file. Formats that builds make of the files, such as wheels, can't hold a time before 1980; npm uses
 * this one for its packages (https://github.com/npm/pacote/blob/main/lib/util/tar-create-options.js).
 */
const mtime = new Date("1985-10-26T08:15:00.000Z");

function headerOf({ path, bytes, isExecutable }: SourceFile) {
  const mode = isExecutable ? 0o755 : 0o644;
  return { name: path, size: bytes, mode, mtime, type: "file" } as const;
}
