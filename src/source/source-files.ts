import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { Failure, toError } from "../errors.ts";
import { code, input, type Message, text } from "../text/message.ts";

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

/**
 * Opens a file whose path is free of links. The path may have been replaced since it was listed by a link out of the
 * workspace, which is not followed, or by a pipe, which is not waited for.
 *
 * @throws an error of the system, or one that says that there is a link
 */
export async function openFile(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if ((await realpath(path).catch(() => undefined)) === path) return file;
  await file.close();
  throw new Error("a link leads to another file");
}

/** Reads a file that `openFile` opens. `shown`: its path in messages. @throws Failure */
export async function readSourceFile(path: string, shown = path): Promise<Buffer> {
  try {
    await using file = await openFile(path);
    return await file.readFile();
  } catch (cause) {
    throw readError(shown, cause);
  }
}

/** Differs between two files, and before and after a change of a file's content or mode. */
export function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(" ");
}

/** The error of a step with the files of `source_path`. `what` is a sentence's start, such as "Could not read a.txt". */
export function sourceError(what: Message, hint: Message, cause: unknown): Failure {
  const message = text`${what}: ${code(toError(cause).message, 500)}.`;
  return new Failure(message, { hint, cause });
}

export function readError(path: string, cause: unknown): Failure {
  return sourceError(
    text`Could not read ${code(path)} for the archive`,
    text`Check that the job may read every file below ${input("source_path")}, that their names are UTF-8, and that no other step changes them in the meantime.`,
    cause,
  );
}
