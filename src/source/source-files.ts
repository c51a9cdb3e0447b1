import type { Stats } from "node:fs";
import { isNativeError } from "node:util/types";
import { ActionError } from "../errors.ts";
import { formatCount, formatMebibytes } from "../text/format.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** The largest archive that a platform takes, in bytes. */
export const maxPackedBytes = 200 * 2 ** 20;

/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

export interface SourceFile {
  /** Relative to the folder of `source_path`, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** By which packing notices that the file was changed or replaced. */
  readonly version: string;
}

export interface SourceListing {
  /** In the order of their paths' bytes. */
  readonly files: readonly SourceFile[];
  /** How many symbolic links were left out. */
  readonly links: number;
  /** The folders with tracked files that their names leave out, in the order of their paths. */
  readonly trackedExcluded: readonly string[];
  /** Whether ignore rules or the names of folders left out anything. */
  readonly hasIgnored: boolean;
  /** Whether there is a checkout whose tracked files git could not list. */
  readonly lacksGit: boolean;
}

/** Differs between two files, and before and after a change of a file's content or mode. */
export function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(" ");
}

/** The largest files, the largest first. */
export function largestFiles(files: readonly SourceFile[], count: number): SourceFile[] {
  return files.toSorted((one, other) => other.bytes - one.bytes).slice(0, count);
}

/** Such as `12 files, 18.4 MiB packed, sha256:…`. */
export function describeArchive({
  files,
  packedBytes,
  digest,
}: {
  readonly files: readonly SourceFile[];
  readonly packedBytes: number;
  readonly digest: string;
}): string {
  const count = files.length === 1 ? "1 file" : `${formatCount(files.length)} files`;
  return `${count}, ${formatMebibytes(packedBytes)} packed, ${digest}`;
}

/** The error of a step with the files of `source_path`. `what` is a sentence's start, such as "Could not read a.txt". */
export function sourceError(what: string, hint: string, cause: unknown): ActionError {
  const reason = isNativeError(cause) ? cause.message : String(cause);
  const message = `${what}: ${sanitizeExcerpt(reason, 500)}.`;
  return new ActionError(message, { code: "source", hint, cause });
}

/** The error of a file or folder that can't be read. */
export function readError(path: string, cause: unknown): ActionError {
  return sourceError(
    `Could not read ${shownPath(path)} for the archive`,
    "Check that the job may read every file below source_path, that their names are UTF-8, and that no other step changes them meanwhile.",
    cause,
  );
}

/** A path as messages quote it. */
export function shownPath(path: string): string {
  return `"${sanitizeExcerpt(path, 300)}"`;
}
