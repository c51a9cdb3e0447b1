import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ActionError } from "../errors.ts";
import type { Take } from "../http/exchange.ts";
import type { FileInput } from "../inputs/usage.ts";
import { inertExcerpt } from "../text/inert.ts";
import { FileSink } from "./usage-file-sink.ts";

/** A file could not be written. */
export class FileError extends ActionError {
  override readonly name = "FileError";
  readonly hint: string;

  constructor(input: string, cause: unknown) {
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`The file of ${input} could not be written: ${inertExcerpt(words, 500)}.`, { cause });
    this.hint = `Check ${input}: its folder has to be writable, with room for the file.`;
  }
}

/** Writes a file of these bytes, whole or not at all. @throws FileError */
export async function writeFileWhole(target: FileInput, bytes: Uint8Array): Promise<void> {
  await whole(target, (file) => told(target, file.writeFile(bytes)));
}

/**
 * Writes a file of what `send` sends, whole or not at all. What was sent is gone for the sender.
 *
 * @throws FileError, and what `send` throws.
 */
export async function streamFileWhole(target: FileInput, send: (take: Take) => Promise<void>): Promise<void> {
  await whole(target, async (file) => {
    const sink = new FileSink(file);
    await send((chunk) => told(target, sink.write(chunk)));
    await told(target, sink.end());
  });
}

/**
 * A file that appears under its name only when it is whole, in place of one that may be there; until then it has a
 * name of its own in the same folder, which is made if need be. Nothing of it stays behind where `fill` throws.
 */
async function whole(target: FileInput, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = join(dirname(target.path), `.usage-${randomUUID()}.partial`);
  const file = await told(target, create(temporary));
  try {
    try {
      await fill(file);
    } finally {
      // Waits for writes that are still under way.
      await told(target, file.close());
    }
    await told(target, rename(temporary, target.path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return await open(path, "wx");
}

async function told<T>({ input }: FileInput, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new FileError(input, cause);
  }
}
