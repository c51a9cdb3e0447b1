import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, toError } from "../errors.ts";
import { inputName, quote, text } from "../text/message.ts";

/**
 * Writes the file of an input. It has a temporary name in the same folder until `fill` is done, and then replaces an existing
 * file. Any error of `fill` that is not a `Failure` is one of the file.
 */
export async function writeWhenComplete(
  input: "json_file" | "csv_file",
  path: string,
  fill: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.usage-${randomUUID()}.partial`);
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, "wx");
    await fill(file).finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const problem = quote(toError(error).message);
    throw new Failure(text`Could not write the file of ${inputName(input)}: ${problem}.`, {
      hint: text`Check ${inputName(input)}: it must not be a folder, and its folder must be writable and have room for the file.`,
      cause: error,
    });
  } finally {
    // Best effort: the failure that left it behind must be reported, whatever a virus scanner holds on Windows.
    await rm(temporary, { force: true }).catch(() => {});
  }
}
