import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
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
      await pipeline(createReadStream(join(folder, file.path), readOptions(file)), tar.entry(headerOf(file)));
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

/** Each part has a buffer of its own, so that of a small file must be small. An empty file may have grown. */
function readOptions({ bytes }: SourceFile) {
  return { highWaterMark: Math.min(Math.max(bytes, 1), 2 ** 16) };
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
