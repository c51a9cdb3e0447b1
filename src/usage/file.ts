import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ActionError } from "../errors.ts";
import type { Take } from "../http/exchange.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { FileSink } from "./file-sink.ts";
import type { FileInput } from "./inputs.ts";

/** A file could not be written. */
export class FileError extends ActionError {
  override readonly name = "FileError";
  readonly hint: string;

  constructor(input: string, cause: unknown) {
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`The file of ${input} could not be written: ${sanitizeExcerpt(words, 500)}.`, { cause });
    this.hint = `Check ${input}: its folder has to be writable, with room for the file.`;
  }
}

/**
 * Writes a file of what `send` sends, and resolves with what that does. The file appears under its name only when it
 * is whole, in place of one that may be there; until then it has a name of its own in the same folder, which is made if
 * need be. Nothing of it stays behind where `send` throws. What was sent is gone for the sender.
 *
 * @throws FileError, and what `send` throws.
 */
export async function writeWhole<T>(target: FileInput, send: (take: Take) => Promise<T>): Promise<T> {
  const temporary = join(dirname(target.path), `.usage-${randomUUID()}.partial`);
  const file = await told(target, create(temporary));
  try {
    // Closing waits for writes that are still under way.
    const result = await fill(target, file, send).finally(() => told(target, file.close()));
    await told(target, rename(temporary, target.path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function fill<T>(target: FileInput, file: FileHandle, send: (take: Take) => Promise<T>): Promise<T> {
  const sink = new FileSink(file);
  const result = await send((chunk) => told(target, sink.write(chunk)));
  await told(target, sink.end());
  return result;
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
