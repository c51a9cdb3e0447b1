import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure, toError } from "../errors.ts";
import { inputName, quote, text } from "../text/message.ts";

/**
 * Writes a file from the parts that `fill` hands over. It has a temporary name in the same folder until it is complete, and
 * then replaces an existing file. `name`: of the input.
 */
export async function writeWhenComplete(
  name: "json_file" | "csv_file",
  path: string,
  fill: (write: (part: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const fail = (cause: unknown): never => {
    throw new Failure(
      text`Could not write the file of ${inputName(name)}: ${quote(toError(cause).message)}.`,
      {
        hint: text`Check ${inputName(name)}: it must not be a folder, and its folder must be writable and have room for the file.`,
        cause,
      },
    );
  };
  const temporary = join(dirname(path), `.usage-${randomUUID()}.partial`);
  await mkdir(dirname(path), { recursive: true }).catch(fail);
  const file = await open(temporary, "wx").catch(fail);
  try {
    await fill((part) => file.writeFile(part).catch(fail)).finally(() => file.close().catch(fail));
    await rename(temporary, path).catch(fail);
  } finally {
    // Best effort: the failure that left it behind must be reported, whatever a virus scanner holds on Windows.
    await rm(temporary, { force: true }).catch(() => {});
  }
}
