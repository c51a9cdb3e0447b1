import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { code, listFirst, type Message, text } from "../text/message.ts";
import type { SourceFile, SourceListing } from "./source-files.ts";

const credentials = /(^|\/)(\.env(\..+)?|[^/]+\.(pem|p12|key)|id_(rsa|ecdsa|ed25519))$/;
const example = /\.(example|sample|template|dist)$/;

/** What an archive should not hold, or lacks because of how it was checked out. */
export async function findWarnings(
  { files, missingSubmodules }: SourceListing,
  folder: string,
): Promise<Message[]> {
  const looksSecret = ({ path, blob }: SourceFile) =>
    blob === undefined && credentials.test(path) && !example.test(path);
  const found: readonly [readonly string[], (paths: Message) => Message][] = [
    [
      pathsOf(files.filter(looksSecret)),
      (paths) =>
        text`Files that look like credentials are uploaded, although Git does not track them: ${paths}. If an earlier step wrote them, remove them before this one, or name them in ${code(".gitignore")}.`,
    ],
    [
      pathsOf(await lfsPointers(files, folder)),
      (paths) =>
        text`Pointers of Git LFS are uploaded in place of files: ${paths}. Set ${code("lfs: true")} for ${code("actions/checkout")}.`,
    ],
    [
      missingSubmodules,
      (paths) =>
        text`Submodules are not checked out, so the archive lacks them: ${paths}. Set ${code("submodules: true")} for ${code("actions/checkout")}.`,
    ],
  ];
  return found.flatMap(([paths, toWarning]) =>
    paths.length === 0 ? [] : [toWarning(listFirst(paths.map((path) => code(path))))],
  );
}

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path);
}

/** The files that are pointers: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md#the-pointer */
async function lfsPointers(files: readonly SourceFile[], folder: string): Promise<SourceFile[]> {
  const pointers: SourceFile[] = [];
  for (const file of files.filter(({ bytes }) => bytes > 120 && bytes < 200)) {
    const content = await readFile(join(folder, file.path), "latin1");
    if (content.startsWith("version https://git-lfs.github.com/spec/v1\n")) pointers.push(file);
  }
  return pointers;
}
