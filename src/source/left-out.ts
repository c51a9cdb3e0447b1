import { formatCount } from "../text/format.ts";
import { foldersOf, type SourceListing } from "./source-files.ts";

const maxLines = 100;

/** Lists paths that are not in an archive: first whole folders, the largest first, and then single files. */
export function describeLeftOut({ leftOut, files }: SourceListing): string[] {
  const packed = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const single: string[] = [];
  const counts = new Map<string, number>();
  for (const path of leftOut) {
    const folder = foldersOf(path).find((name) => !packed.has(name));
    if (folder === undefined) single.push(path);
    else counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = [...counts].toSorted(([, left], [, right]) => right - left);
  const lines = [
    ...folders.map(
      ([name, fileCount]) => `${name} (${fileCount === 1 ? "1 file" : `${formatCount(fileCount)} files`})`,
    ),
    ...single,
  ];
  const others = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(others > 0 ? [`${formatCount(others)} more`] : [])];
}
