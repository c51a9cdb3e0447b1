import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ActionError } from "../errors.ts";
import type { FileInput } from "../inputs/usage.ts";
import { inertExcerpt } from "../text/inert.ts";

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

/**
 * Writes a file that appears under its name only when it is whole, in place of one that may be there; until then it
 * has a name of its own in the same folder, which is made if need be. Nothing stays behind where `fill` throws.
 *
 * @throws FileError, and what `fill` throws.
 */
export async function writeWhole(
  { input, path }: FileInput,
  fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const told = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (cause) {
      throw new FileError(input, cause);
    }
  };
  const temporary = join(dirname(path), `.usage-${randomUUID()}.partial`);
  const file = await told(create(temporary));
  try {
    try {
      await fill((bytes) => told(file.writeFile(bytes)));
    } finally {
      await told(file.close());
    }
    await told(rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return await open(path, "wx");
}
