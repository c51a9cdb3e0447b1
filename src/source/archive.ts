import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../errors.ts";
import { code, commaList, count, inputName, type Message, phrase, size, text } from "../text/message.ts";
import type { GitOptions } from "./git.ts";
import type { SourceFile, SourceListing } from "./list-files.ts";
import { relativeToWorkspace } from "./source-folder.ts";
import { tarOf } from "./tar.ts";

/** The packed folder of `source_path`, until it is disposed of. */
export interface SourceArchive extends AsyncDisposable {
  /** The folder relative to the workspace, with `/` between its parts; `""` if it is the workspace. */
  readonly folder: string;
  readonly files: readonly SourceFile[];
  /** `sha256:…` of the tar before compression. */
  readonly digest: string;
  readonly packedBytes: number;
  /** Returns the packed bytes. `onPart`: gets the size of each part when it is read. */
  readonly read: (onPart: (bytes: number) => void) => Promise<Readable>;
}

/** Packs files into a gzipped tar, in a temporary file. @throws Failure if it is larger than `maxBytes` */
export async function packArchive(
  { source, files }: Pick<SourceListing, "source" | "files">,
  maxBytes: number,
  { temporaryFolder, signal }: GitOptions,
): Promise<SourceArchive> {
  const path = join(temporaryFolder, `source-${randomUUID()}.tar.gz`);
  // Best effort: on Windows, a virus scanner may hold the file. The runner empties this folder after the job.
  const remove = () => rm(path).catch(() => {});
  const hash = createHash("sha256");
  const hashed = observe((part) => void hash.update(part));
  let packedBytes = 0;
  const counted = observe(({ length }) => {
    packedBytes += length;
    if (packedBytes > maxBytes) throw tooLargeFailure(files, maxBytes);
  });
  try {
    // Opened before the pipeline, which doesn't wait for it: a cancelled one could otherwise create the file after its removal.
    const file = await open(path, "wx", 0o600);
    const tar = tarOf(source.path, files);
    await pipeline(tar, hashed, createGzip(), counted, file.createWriteStream(), { signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    folder: relativeToWorkspace(source),
    files,
    digest: `sha256:${hash.digest("hex")}`,
    packedBytes,
    read: async (onPart) => readParts(await open(path), onPart),
    [Symbol.asyncDispose]: remove,
  };
}

/** Returns a step of a pipeline that passes on what it reads, after `onPart` has seen it. */
function observe(onPart: (part: Uint8Array) => void) {
  return async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      onPart(part);
      yield part;
    }
  };
}

/** With parts of the default size, 64 KiB, an upload takes almost twice as long. */
const partBytes = 2 ** 20;

/**
 * Reads a file in parts that share one buffer, so each must be sent before the next is read. A buffer for each part, as
 * `createReadStream` has, takes half as long again, and 50 MB.
 */
function readParts(file: FileHandle, onPart: (bytes: number) => void): Readable {
  const buffer = Buffer.allocUnsafe(partBytes);
  const readPart = async () => {
    const { bytesRead } = await file.read(buffer, 0, partBytes, null);
    onPart(bytesRead);
    return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
  };
  return new Readable({
    highWaterMark: 0,
    read() {
      readPart().then(
        (part) => this.push(part),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      file.close().then(() => done(error), done);
    },
  });
}

function tooLargeFailure(files: readonly SourceFile[], maxBytes: number): Failure {
  const largest = largestFiles(files, 10).map(({ path, bytes }) => phrase`${code(path)} (${size(bytes)})`);
  return new Failure(
    text`The archive of ${inputName("source_path")} is larger than ${size(maxBytes)}. The largest files are ${commaList(largest)}.`,
    {
      hint: text`Leave out what the build does not need with a ${code(".dockerignore")} file in the folder of ${inputName("source_path")}, or deploy an image.`,
    },
  );
}

export function largestFiles(files: readonly SourceFile[], maxFiles: number): SourceFile[] {
  return files.toSorted((left, right) => right.bytes - left.bytes).slice(0, maxFiles);
}

/** Describes an archive in a few words, such as `12 files, 18.4 MiB (sha256:…)`. */
export function describeArchive({ files, packedBytes, digest }: SourceArchive): Message {
  const fileCount = files.length === 1 ? text`1 file` : text`${count(files.length)} files`;
  return text`${fileCount}, ${size(packedBytes)} (${code(digest)})`;
}
