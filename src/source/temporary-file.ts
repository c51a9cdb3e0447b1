import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceError } from "./errors.ts";

/**
 * Opens a new file that has no name any more, so that it is gone as soon as it is closed or the process ends, however that
 * comes. @throws ActionError
 */
export async function openTemporaryFile(folder = tmpdir()): Promise<FileHandle> {
  const path = join(folder, `source-${randomUUID()}.tar.gz`);
  try {
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    return file;
  } catch (cause) {
    throw temporaryFileError(cause);
  }
}

/** The error of a temporary file that can't be written or read. */
export function temporaryFileError(cause: unknown) {
  return sourceError(
    "Could not write the archive to a temporary file",
    "Check that the folder for temporary files of the runner (RUNNER_TEMP) has room for the archive.",
    cause,
  );
}
