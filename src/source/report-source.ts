import type { Report } from "../report/report.ts";
import { code, count, listFirst, type Message, text, type Value } from "../text/message.ts";
import { describeArchive, type PackedSource } from "./archive.ts";
import { foldersOf, type SourceListing } from "./source-files.ts";

/** Reports what is in an archive, and what is left out. */
export function reportSource(source: PackedSource, report: Report): void {
  for (const [what, names] of describeLeftOut(source)) {
    if (names.length > 0) report.info(text`${what} are left out of the archive: ${listFirst(names)}.`);
  }
  const { digest, commit, warnings } = source;
  for (const warning of warnings) report.warning(warning);
  report.set({ sourceDigest: digest, sourceCommit: commit });
  report.info(text`Packed ${describeArchive(source)}.`);
}

function describeLeftOut({
  leftOut,
  files,
}: SourceListing): readonly [Message, readonly (Message | Value)[]][] {
  const { links, folders, credentials, ignored } = leftOut;
  const asCode = (paths: readonly string[]) => paths.map((path) => code(path));
  return [
    [text`Symbolic links`, asCode(links)],
    [text`Folders with tracked files whose names are never uploaded`, asCode(folders)],
    [text`Credentials of earlier steps`, asCode(credentials)],
    [text`Ignored files`, groupByFolder(ignored, files)],
  ];
}

/** Paths by the outermost folder of which nothing is in the archive, the largest first, then single files. */
function groupByFolder(ignored: readonly string[], files: SourceListing["files"]): Message[] {
  const packed = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const counts = new Map<string, number>();
  for (const path of ignored) {
    const folder = foldersOf(path).find((name) => !packed.has(name)) ?? path;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const single = new Set(ignored);
  return [...counts]
    .toSorted(
      ([one, first], [other, second]) =>
        Number(single.has(one)) - Number(single.has(other)) || second - first,
    )
    .map(([path, number]) => {
      const files = number === 1 ? text`1 file` : text`${count(number)} files`;
      return single.has(path) ? text`${code(path)}` : text`${code(path)} (${files})`;
    });
}
