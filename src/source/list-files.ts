import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { readDockerIgnore } from "./docker-ignore.ts";
import type { GitOptions } from "./git.ts";
import { excludedFolder, listPaths } from "./list-paths.ts";
import type { SourceFile, SourceFolder, SourceListing } from "./source-files.ts";

/** The files of a folder that belong into its archive (docs/specification.md#the-archive). */
export async function listFiles(source: SourceFolder, options: GitOptions): Promise<SourceListing> {
  const isIgnoredByDocker = await readDockerIgnore(source);
  const { paths, checkouts } = await listPaths(source, options);
  const files: SourceFile[] = [];
  const links: string[] = [];
  const folders = new Set<string>();
  let lacksFiles = false;
  for (const { path, checkout, blob, isFile } of sortedByBytes(paths)) {
    options.signal.throwIfAborted();
    const folder = excludedFolder(path);
    if (folder !== undefined) folders.add(folder);
    if (folder !== undefined || isIgnoredByDocker(path)) continue;
    const place = join(source.path, path);
    // Git lists what it tracks although it was removed. In place of bytes that are not UTF-8 is another character.
    const stats = await lstat(place).catch((error: unknown) => {
      if (blob === undefined || path.includes("\ufffd")) throw error;
    });
    // A link may have replaced a folder around it.
    if (stats?.isFile() && (await realpath(place)) === place) {
      const isExecutable = (stats.mode & 0o100) !== 0;
      files.push({ path, bytes: stats.size, isExecutable, checkout, blob });
    } else if (isFile) lacksFiles = true;
    if (stats?.isSymbolicLink()) links.push(path);
  }
  return { files, links, folders: [...folders], checkouts, lacksFiles };
}

function sortedByBytes<T extends { readonly path: string }>(listed: readonly T[]): T[] {
  const sortable = listed.map((one) => ({ one, bytes: Buffer.from(one.path) }));
  sortable.sort((left, right) => Buffer.compare(left.bytes, right.bytes));
  return sortable.map(({ one }) => one);
}
