import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { ActionError } from "../errors.ts";
import { formatMebibytes } from "../text/format.ts";
import { shownPath } from "./errors.ts";
import type { SourceListing } from "./list-files.ts";
import { largestFiles, type SourceFile } from "./source-file.ts";
import { tarOf } from "./tar.ts";
import { openTemporaryFile, temporaryFileError } from "./temporary-file.ts";

/** A packed folder, ready to be sent. */
export interface SourceArchive extends SourceListing {
  /** `sha256:…` of the tar before compression. */
  readonly digest: string;
  /** Of the compressed archive. */
  readonly packedBytes: number;
  /** The compressed archive in parts, from its start. A part changes when the next one is requested. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Removes the archive. */
  readonly close: () => Promise<void>;
}

interface PackOptions {
  /** Where the temporary file is made; by default that of the system. */
  readonly temporaryFolder: string | undefined;
  readonly maxPackedBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Packs files into a gzipped tar.
 *
 * @throws ActionError if a file can't be read or the archive is larger than `maxPackedBytes`, and the signal's reason
 */
export async function packArchive(
  folder: string,
  listing: SourceListing,
  { temporaryFolder, maxPackedBytes, signal }: PackOptions,
): Promise<SourceArchive> {
  const file = await openTemporaryFile(temporaryFolder);
  const hash = createHash("sha256");
  const hasher = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const sink = new LimitedSink(file, maxPackedBytes, listing.files);
  try {
    await pipeline(
      Readable.from(tarOf(folder, listing.files)),
      hasher,
      createGzip({ chunkSize: 2 ** 16 }),
      sink,
      {
        signal,
      },
    );
  } catch (error) {
    await file.close();
    signal.throwIfAborted();
    throw error;
  }
  return {
    ...listing,
    digest: `sha256:${hash.digest("hex")}`,
    packedBytes: sink.bytes,
    read: () => readParts(file),
    close: () => file.close(),
  };
}

const partBytes = 2 ** 17;

/**
 * The parts of a file. A stream of it would close it if it were not read to its end, and would leave hundreds of megabytes
 * to the garbage collector: here all parts but the last share one buffer. Each is larger than what a stream takes without
 * asking its source to wait, so it was written when the next one is requested.
 */
async function* readParts(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(partBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, { position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield bytesRead === partBytes ? buffer : Buffer.from(buffer.subarray(0, bytesRead));
  }
}

/** Writes to a file, up to so many bytes. */
class LimitedSink extends Writable {
  bytes = 0;

  constructor(file: FileHandle, maxBytes: number, files: readonly SourceFile[]) {
    super({
      write: (chunk: Uint8Array, _encoding, done) => {
        this.bytes += chunk.length;
        if (this.bytes > maxBytes) return done(tooLarge(files, maxBytes));
        file.appendFile(chunk).then(
          () => done(),
          (cause: unknown) => done(temporaryFileError(cause)),
        );
      },
    });
  }
}

function tooLarge(files: readonly SourceFile[], maxBytes: number): ActionError {
  const largest = largestFiles(files, 10).map(
    ({ path, bytes }) => `${shownPath(path)} (${formatMebibytes(bytes)})`,
  );
  return new ActionError(
    `The archive of source_path is larger than ${formatMebibytes(maxBytes)}. The largest files are ${largest.join(", ")}.`,
    {
      code: "source_too_large",
      hint: "Leave out what the build does not need with a .dockerignore file in the folder of source_path, or deploy an image.",
    },
  );
}
