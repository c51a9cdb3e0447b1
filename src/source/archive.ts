import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../errors.ts";
import { formatCount, formatSize } from "../text/format.ts";
import { code, input, joined, type Message, text } from "../text/message.ts";
import type { SourceFile, SourceListing } from "./source-files.ts";
import { tarOf } from "./tar.ts";

/** The largest archive that a platform takes, in bytes. */
export const maxPackedBytes = 200 * 2 ** 20;

/** Packed files, ready to be sent, until they are disposed of. */
export interface SourceArchive extends SourceListing, AsyncDisposable {
  /** `sha256:…` of the tar before compression. */
  readonly digest: string;
  /** Of the compressed archive. */
  readonly packedBytes: number;
  /** The files that git tracks with another content. */
  readonly changed: readonly SourceFile[];
  /** The compressed archive in parts, from its start. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

interface PackOptions {
  /** Where the temporary file is made; by default that of the system. */
  readonly temporaryFolder: string | undefined;
  readonly maxPackedBytes: number;
  readonly signal: AbortSignal;
}

/** Packs files into a gzipped tar. */
export async function packArchive(
  folder: string,
  listing: SourceListing,
  { temporaryFolder, maxPackedBytes, signal }: PackOptions,
): Promise<SourceArchive> {
  const file = await openTemporaryFile(temporaryFolder);
  const hash = createHash("sha256");
  const changed: SourceFile[] = [];
  let packedBytes = 0;
  const hasher = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const write = async (packed: AsyncIterable<Uint8Array>) => {
    for await (const chunk of packed) {
      packedBytes += chunk.length;
      if (packedBytes > maxPackedBytes) throw tooLarge(listing.files, maxPackedBytes);
      await file.appendFile(chunk);
    }
  };
  try {
    const tar = tarOf(folder, listing.files, (file) => changed.push(file));
    await pipeline(tar, hasher, createGzip({ chunkSize: 2 ** 16 }), write, { signal });
  } catch (error) {
    await file.close();
    signal.throwIfAborted();
    throw error;
  }
  return {
    ...listing,
    digest: `sha256:${hash.digest("hex")}`,
    packedBytes,
    changed,
    read: () => readParts(file),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const partBytes = 2 ** 18;

/** The parts of a file, each in memory of its own. A stream of it would close it if it were not read to its end. */
async function* readParts(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const memory = Buffer.allocUnsafe(partBytes);
    const { bytesRead } = await file.read(memory, { position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield memory.subarray(0, bytesRead);
  }
}

function tooLarge(files: readonly SourceFile[], maxBytes: number): Failure {
  const largest = largestFiles(files, 10).map(
    ({ path, bytes }) => text`${code(path)} (${code(formatSize(bytes))})`,
  );
  return new Failure(
    text`The archive of ${input("source_path")} is larger than ${code(formatSize(maxBytes))}. The largest files are ${joined(largest, ", ")}.`,
    {
      hint: text`Leave out what the build does not need with a ${code(".dockerignore")} file in the folder of ${input("source_path")}, or deploy an image.`,
    },
  );
}

/** The largest files, the largest first. */
export function largestFiles(files: readonly SourceFile[], count: number): SourceFile[] {
  return files.toSorted((one, other) => other.bytes - one.bytes).slice(0, count);
}

/** Such as `12 files, 18.4 MiB (sha256:…)`. */
export function describeArchive({ files, packedBytes, digest }: SourceArchive): Message {
  const count = files.length === 1 ? text`1 file` : text`${code(formatCount(files.length))} files`;
  return text`${count}, ${code(formatSize(packedBytes))} (${code(digest)})`;
}

/** Opens a new file without a name, which is gone as soon as it is closed or the process ends. */
async function openTemporaryFile(folder = tmpdir()): Promise<FileHandle> {
  const path = join(folder, `source-${randomUUID()}.tar.gz`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
