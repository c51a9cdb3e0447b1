import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createTarPacker, type TarPackController } from "modern-tar";
import { Failure } from "../errors.ts";
import { code, inputName, text } from "../text/message.ts";
import type { SourceFile } from "./list-files.ts";

/** Returns the bytes of a tar, which are the same for the same files on every machine. */
export function tarOf(folder: string, files: readonly SourceFile[]): Readable {
  const { readable, controller } = createTarPacker();
  const addFiles = async () => {
    for (const file of files) await addFile(controller, join(folder, file.path), file);
    controller.finalize();
  };
  addFiles().catch((error: unknown) => controller.error(error));
  return Readable.fromWeb(readable);
}

/**
 * The time of every file. Builds may write it to formats without times before 1980, such as wheels. npm uses this one for its
 * packages (https://github.com/npm/pacote/blob/main/lib/util/tar-create-options.js).
 */
const mtime = new Date("1985-10-26T08:15:00.000Z");

async function addFile(controller: TarPackController, absolutePath: string, file: SourceFile): Promise<void> {
  const { path: name, bytes: size, isExecutable } = file;
  const mode = isExecutable ? 0o755 : 0o644;
  const entry = controller.add({ name, size, mode, mtime, type: "file" }).getWriter();
  let bytes = 0;
  for await (const part of createReadStream(absolutePath)) {
    bytes += part.length;
    if (bytes > size) break;
    await entry.write(part);
  }
  if (bytes !== size) {
    throw new Failure(text`The file ${code(name)} was changed while it was packed.`, {
      hint: text`Check that no other process writes below ${inputName("source_path")} during this step.`,
    });
  }
  await entry.close();
}
