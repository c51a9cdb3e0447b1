import { formatCount } from "../text/format.ts";
import { foldersOf, type SourceListing } from "./source-files.ts";

const maxLines = 100;

/** Lists paths that are not in an archive, the largest folders first. A folder of which nothing is packed is one line. */
export function describeLeftOut({ leftOut, files }: SourceListing): string[] {
  const packed = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const counts = new Map<string, number>();
  for (const path of leftOut) {
    const name = foldersOf(path).find((folder) => !packed.has(folder)) ?? path;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const largestFirst = [...counts].toSorted(([, left], [, right]) => right - left);
  const lines = largestFirst.map(([name, count]) =>
    count === 1 ? name : `${name} (${formatCount(count)} files)`,
  );
  const others = lines.length - maxLines;
  return others > 0 ? [...lines.slice(0, maxLines), `${formatCount(others)} more`] : lines;
}
