import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createTarPacker, type TarHeader, type TarPackController } from "modern-tar";
import { Failure } from "../errors.ts";
import { code, input, text } from "../text/message.ts";
import type { SourceFile } from "./source-files.ts";

/**
 * The bytes of a tar of these files: the same for the same files on every machine. `onChanged` is called with each that git
 * tracks with another content.
 */
export function tarOf(
  folder: string,
  files: readonly SourceFile[],
  onChanged: (file: SourceFile) => void,
): Readable {
  const { readable, controller } = createTarPacker();
  addFiles(controller, folder, files, onChanged).then(
    () => controller.finalize(),
    (error: unknown) => controller.error(error),
  );
  return Readable.fromWeb(readable);
}

async function addFiles(
  controller: TarPackController,
  folder: string,
  files: readonly SourceFile[],
  onChanged: (file: SourceFile) => void,
): Promise<void> {
  for (const file of files) {
    const blob = await addFile(controller, join(folder, file.path), file);
    if (file.blob !== undefined && file.blob !== blob) onChanged(file);
  }
}

const maxPartBytes = 2 ** 20;

/** Adds a file, and returns the hash by which git would track it. */
async function addFile(controller: TarPackController, path: string, file: SourceFile): Promise<string> {
  const hash = createHash(file.blob?.length === 64 ? "sha256" : "sha1").update(`blob ${file.bytes}\0`);
  await using handle = await open(path);
  const entry = controller.add(headerOf(file)).getWriter();
  for (let left = file.bytes; left > 0; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(left, maxPartBytes)));
    if (bytesRead === 0) break;
    left -= bytesRead;
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    await entry.write(part);
  }
  if ((await handle.stat()).size !== file.bytes) throw fileChanged(file);
  await entry.close();
  return hash.digest("hex");
}

function fileChanged({ path }: SourceFile): Failure {
  return new Failure(text`The file ${code(path)} was changed while it was packed.`, {
    hint: text`Check that no other process writes below ${input("source_path")} during this step.`,
  });
}

/**
 * The time of every file. Formats that builds make of the files, such as wheels, can't hold a time before 1980; npm uses
 * this one for its packages (https://github.com/npm/pacote/blob/main/lib/util/tar-create-options.js).
 */
const mtime = new Date("1985-10-26T08:15:00.000Z");

function headerOf({ path, bytes, isExecutable }: SourceFile): TarHeader {
  return { name: path, size: bytes, mode: isExecutable ? 0o755 : 0o644, mtime, type: "file" };
}
