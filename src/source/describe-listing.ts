import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { formatCount } from "../text/format.ts";
import { code, listFirst, type Message, text } from "../text/message.ts";
import type { SourceFile, SourceListing } from "./list-files.ts";

const credentials = /(^|\/)(\.env(\..+)?|[^/]+\.(pem|p12|key)|id_(rsa|ecdsa|ed25519))$/;
const example = /\.(example|sample|template|dist)$/;

export async function findWarnings({ source, files, missingSubmodules }: SourceListing): Promise<Message[]> {
  const looksSecret = ({ path, blob }: SourceFile) =>
    blob === undefined && credentials.test(path) && !example.test(path);
  const warnings: readonly [paths: readonly string[], title: Message, hint: Message][] = [
    [
      pathsOf(files.filter(looksSecret)),
      text`Files that look like credentials are uploaded, although Git does not track them`,
      text`If an earlier step wrote them, remove them before this one, or name them in ${code(".gitignore")}.`,
    ],
    [
      pathsOf(await lfsPointers(files, source.path)),
      text`Pointers of Git LFS are uploaded in place of files`,
      text`Set ${code("lfs: true")} for ${code("actions/checkout")}.`,
    ],
    [
      missingSubmodules,
      text`Submodules are not checked out, so the archive lacks them`,
      text`Set ${code("submodules: true")} for ${code("actions/checkout")}.`,
    ],
  ];
  return warnings
    .filter(([paths]) => paths.length > 0)
    .map(([paths, title, hint]) => text`${title}: ${listFirst(paths.map((path) => code(path)))}. ${hint}`);
}

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

/** Finds pointers of Git LFS: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
async function lfsPointers(files: readonly SourceFile[], folder: string): Promise<SourceFile[]> {
  const pointers: SourceFile[] = [];
  // A pointer has a version, a hash and a size. Other files are not read.
  for (const file of files.filter(({ bytes }) => bytes > 120 && bytes < 200)) {
    const content = await readFile(join(folder, file.path), "latin1");
    if (content.startsWith("version https://git-lfs.github.com/spec/v1\n")) pointers.push(file);
  }
  return pointers;
}

const maxLeftOutLines = 100;

/** Lists paths that are not in an archive, the largest folders first. A folder of which nothing is packed is one line. */
export function describeLeftOut({ leftOut, files }: SourceListing): string[] {
  const packed = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const groups = Map.groupBy(
    leftOut,
    (path) => foldersOf(path).find((folder) => !packed.has(folder)) ?? path,
  );
  const largestFirst = [...groups].toSorted(([, left], [, right]) => right.length - left.length);
  const lines = largestFirst.map(([name, { length }]) =>
    length === 1 ? name : `${name} (${formatCount(length)} files)`,
  );
  const others = lines.length - maxLeftOutLines;
  return others > 0 ? [...lines.slice(0, maxLeftOutLines), `${formatCount(others)} more`] : lines;
}

/** Returns the folders around a path, the outermost first. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}
