import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { readError, type SourceFile, versionOf } from "./source-files.ts";

/**
 * The bytes of a tar of these files. The same files give the same bytes on every machine and in every release: no library
 * promises that, and the format is a header of 512 bytes (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html).
 *
 * @throws ActionError if a file can't be read or has changed since it was listed
 */
export async function* tarOf(folder: string, files: readonly SourceFile[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield headerOf(file);
    try {
      yield* contentOf(join(folder, file.path), file);
    } catch (cause) {
      throw readError(file.path, cause);
    }
    yield padding(file.bytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

const maxChunkBytes = 2 ** 16;

/**
 * The content of a file, as long as it is the one that was listed. Its path may have been replaced since then by a link out
 * of the workspace, which is not followed, or by a pipe, which is not waited for.
 */
async function* contentOf(path: string, { bytes, version }: SourceFile): AsyncGenerator<Uint8Array> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  await requireVersion(handle, version);
  if ((await realpath(path)) !== path) throw new Error("a link leads to another file");
  for (let position = 0; position < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(bytes - position, maxChunkBytes));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
  await requireVersion(handle, version);
}

async function requireVersion(handle: FileHandle, version: string): Promise<void> {
  if (versionOf(await handle.stat()) !== version) throw new Error("it has changed since it was listed");
}

const blockBytes = 512;

function padding(bytes: number): Buffer {
  return Buffer.alloc(-bytes & (blockBytes - 1));
}

/** The header of a file. What does not fit into one comes before it, as an extended header. */
function headerOf({ path, bytes, isExecutable }: SourceFile): Buffer {
  const mode = isExecutable ? 0o755 : 0o644;
  const names = splitPath(path);
  const fits = bytes <= maxOctalBytes;
  if (names && fits) return block({ ...names, mode, bytes, type: "0" });
  const records = [...(names ? [] : [["path", path]]), ...(fits ? [] : [["size", String(bytes)]])];
  const extended = Buffer.concat(records.map(([key, value]) => paxRecord(` ${key}=${value}\n`)));
  const name = names ?? { name: "PaxHeader", prefix: "" };
  return Buffer.concat([
    block({ name: "PaxHeader", prefix: "", mode, bytes: extended.length, type: "x" }),
    extended,
    padding(extended.length),
    block({ ...name, mode, bytes: fits ? bytes : 0, type: "0" }),
  ]);
}

/** Eleven octal digits. */
const maxOctalBytes = 8 ** 11 - 1;

/** A path in the two fields of a header; undefined if they are too short for it or it is not ASCII. */
function splitPath(path: string): { name: string; prefix: string } | undefined {
  if (Buffer.byteLength(path) !== path.length) return undefined;
  let start = 0;
  while (path.length - start > 100) {
    const slash = path.indexOf("/", start);
    if (slash === -1) return undefined;
    start = slash + 1;
  }
  const prefix = path.slice(0, Math.max(0, start - 1));
  return prefix.length > 155 ? undefined : { name: path.slice(start), prefix };
}

/** A record with its length before it, which counts its own digits too. */
function paxRecord(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  let length = bytes;
  while (length !== bytes + String(length).length) length = bytes + String(length).length;
  return Buffer.from(`${length}${text}`);
}

/**
 * The time of every file, in seconds. Formats that builds make of the files, such as wheels, can't hold a time before 1980;
 * npm uses this one for its packages (https://github.com/npm/pacote/blob/main/lib/util/tar-create-options.js).
 */
const mtimeSeconds = Date.parse("1985-10-26T08:15:00.000Z") / 1000;

interface Header {
  readonly name: string;
  readonly prefix: string;
  readonly mode: number;
  readonly bytes: number;
  readonly type: "0" | "x";
}

function block({ name, prefix, mode, bytes, type }: Header): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")} `;
  const fields: readonly [string, number][] = [
    [name, 0],
    [octal(mode, 6), 100],
    // Owner and group.
    [octal(0, 6), 108],
    [octal(0, 6), 116],
    [octal(bytes, 11), 124],
    [octal(mtimeSeconds, 11), 136],
    // The checksum counts as blanks while it is computed.
    [" ".repeat(8), 148],
    [type, 156],
    ["ustar\0" + "00", 257],
    // The numbers of a device.
    [octal(0, 6), 329],
    [octal(0, 6), 337],
    [prefix, 345],
  ];
  for (const [text, offset] of fields) header.write(text, offset, "latin1");
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${octal(checksum, 6)}\0`, 148, "latin1");
  return header;
}
