import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { Failure, toError } from "../errors.ts";
import { input as inputName, quote, text } from "../text/message.ts";
import type { FileInput } from "./inputs.ts";

/**
 * Writes what `send` puts into the stream to a file, and returns what `send` returns. The file appears under its name only
 * when it is complete, and replaces an existing one. Until then it has a temporary name in the same directory, which is
 * created if it is missing.
 *
 * @throws Failure `file` if the file can't be written, and what `send` throws
 */
export async function writeWhenComplete<T>(
  target: FileInput,
  send: (sink: Writable) => Promise<T>,
): Promise<T> {
  const temporary = join(dirname(target.path), `.usage-${randomUUID()}.partial`);
  const file = await orFileError(target, create(temporary));
  try {
    // Closing the file waits for writes that are still running.
    const result = await send(sinkTo(file, target)).finally(() => orFileError(target, file.close()));
    await orFileError(target, rename(temporary, target.path));
    return result;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return await open(path, "wx");
}

/** A stream whose errors name the input. */
function sinkTo(file: FileHandle, target: FileInput): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      orFileError(target, file.writeFile(chunk)).then(() => done(), done);
    },
  });
}

async function orFileError<T>({ input }: FileInput, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new Failure(
      text`Could not write the file of ${inputName(input)}: ${quote(toError(cause).message)}.`,
      {
        hint: text`Check ${inputName(input)}: its directory must be writable and have room for the file.`,
        cause,
      },
    );
  }
}
