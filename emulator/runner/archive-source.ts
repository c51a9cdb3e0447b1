/** Unpacks the source of a revision from an uploaded archive. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { messageOf, RunFailure } from "../errors.ts";

const MAX_PACKED_BYTES = 200 * 1024 * 1024;
const MAX_UNPACKED_MB = 500;

/**
 * Unpacks a gzipped tar into the folder.
 * @param maxUnpackedMb in megabytes
 * @throws {RunFailure} if it is too large, has anything but files and folders, or a path that leaves the folder
 * @throws the reason of the signal
 */
export async function unpackArchive(
  file: string,
  folder: string,
  signal: AbortSignal,
  maxUnpackedMb = MAX_UNPACKED_MB,
): Promise<void> {
  const { size } = await stat(file);
  if (size > MAX_PACKED_BYTES) throw new RunFailure("The archive is larger than 200 MiB.");
  const unpack = unpackTar(folder, {
    strict: true,
    filter({ name, type = "file" }) {
      if (type !== "file" && type !== "directory") {
        throw new RunFailure(`The archive has a ${type}, which is not allowed: ${name}`);
      }
      if (name.startsWith("/") || name.split(/[/\\]/).includes("..")) {
        throw new RunFailure(`The archive has a path outside of its folder: ${name}`);
      }
      return true;
    },
    fmode: 0o755,
    dmode: 0o755,
  });
  try {
    await pipeline(createReadStream(file), createGunzip(), atMost(maxUnpackedMb), unpack, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RunFailure) throw error;
    throw new RunFailure(`The archive can't be unpacked: ${messageOf(error)}`);
  }
}

function atMost(maxMb: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxMb * 1e6)
        done(new RunFailure(`The archive is larger than ${maxMb} MB when it is unpacked.`));
      else done(null, chunk);
    },
  });
}
