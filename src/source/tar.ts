import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createTarPacker, type TarPackController } from "modern-tar";
import { readError } from "./errors.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * The bytes of a tar of these files. The same files give the same bytes on every machine.
 *
 * @throws ActionError if a file can't be read or has changed since it was listed
 */
export async function* tarOf(folder: string, files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  let current = folder;
  const addAll = async () => {
    for (const file of files) {
      current = file.path;
      await addFile(folder, file, controller);
    }
    controller.finalize();
  };
  addAll().catch((error: unknown) => controller.error(error));
  try {
    yield* readable;
  } catch (cause) {
    throw readError(current, cause);
  }
}

const chunkBytes = 2 ** 17;

async function addFile(folder: string, file: SourceFile, controller: TarPackController): Promise<void> {
  const writer = controller.add(headerOf(file)).getWriter();
  for await (const chunk of createReadStream(join(folder, file.path), { highWaterMark: chunkBytes })) {
    await writer.write(chunk);
  }
  await writer.close();
}

/**
 * The time of every file. Formats that builds make of the files, such as wheels, can't hold a time before 1980; npm uses
 * this one for its packages (https://github.com/npm/pacote/blob/main/lib/util/tar-create-options.js).
 */
const mtime = new Date("1985-10-26T08:15:00.000Z");

function headerOf({ path, bytes, isExecutable }: SourceFile) {
  const mode = isExecutable ? 0o755 : 0o644;
  return { name: path, size: bytes, mode, mtime, type: "file", uid: 0, gid: 0 } as const;
}
