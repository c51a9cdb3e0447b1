import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { openFile, readError, type SourceFile, versionOf } from "./source-files.ts";

/**
 * The bytes of a tar of these files. The same files give the same bytes on every machine.
 *
 * @throws Failure if a file can't be read or has changed since it was listed
 */
export async function* tarOf(folder: string, files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const adding = addFiles(tar, folder, files);
  adding.catch((error: Error) => tar.destroy(error));
  try {
    yield* Readable.from(tar);
  } catch (error) {
    // It has the reason; the tar only notices that an entry is incomplete.
    await adding;
    throw error;
  }
}

async function addFiles(tar: Pack, folder: string, files: readonly SourceFile[]): Promise<void> {
  for (const file of files) {
    try {
      await addFile(tar, join(folder, file.path), file);
    } catch (cause) {
      throw readError(file.path, cause);
    }
  }
  tar.finalize();
}

/** A stream for each of many small files would take most of the time. */
const maxBytesAtOnce = 2 ** 16;

/** Adds the content of a file, if it is the one that was listed. */
async function addFile(tar: Pack, path: string, file: SourceFile): Promise<void> {
  await using handle = await openFile(path);
  await requireVersion(handle, file);
  if (file.bytes > maxBytesAtOnce) {
    const content = handle.createReadStream({ highWaterMark: maxBytesAtOnce, autoClose: false });
    await pipeline(content, tar.entry(headerOf(file)));
  } else {
    await addSmallFile(tar, await handle.readFile(), file);
  }
  await requireVersion(handle, file);
}

async function addSmallFile(tar: Pack, content: Buffer, file: SourceFile): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = tar.entry(headerOf(file), (error) => (error ? reject(error) : resolve()));
  entry.on("error", reject);
  entry.end(content);
  await promise;
}

async function requireVersion(handle: FileHandle, { version }: SourceFile): Promise<void> {
  if (versionOf(await handle.stat()) !== version) throw new Error("it has changed since it was listed");
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
