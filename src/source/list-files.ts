import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isNativeError } from "node:util/types";
import { readDockerIgnore } from "./docker-ignore.ts";
import type { GitOptions } from "./git.ts";
import { excludedFolder, listPaths } from "./list-paths.ts";
import { readError, type SourceFile, type SourceFolder, type SourceListing } from "./source-files.ts";

/** The files of a folder that belong into its archive (docs/specification.md#the-archive). */
export async function listFiles(source: SourceFolder, options: GitOptions): Promise<SourceListing> {
  const isIgnoredByDocker = await readDockerIgnore(source);
  const { paths, checkouts } = await listPaths(source, options);
  const statsOf = statsWithoutLinks(source.path);
  const files: SourceFile[] = [];
  const links: string[] = [];
  const folders = new Set<string>();
  let lacksFiles = false;
  for (const { path, checkout, blob, isFile } of sortedByBytes(paths)) {
    options.signal.throwIfAborted();
    const folder = excludedFolder(path);
    if (folder !== undefined) folders.add(folder);
    if (folder !== undefined || isIgnoredByDocker(path)) continue;
    const stats = await statsOf(path);
    if (stats?.isFile()) {
      const isExecutable = (stats.mode & 0o100) !== 0;
      files.push({ path, bytes: stats.size, isExecutable, checkout, blob });
      continue;
    }
    if (isFile) lacksFiles = true;
    if (stats?.isSymbolicLink()) links.push(path);
  }
  return { files, links, folders: [...folders], checkouts, lacksFiles };
}

function sortedByBytes<T extends { readonly path: string }>(listed: readonly T[]): T[] {
  const sortable = listed.map((one) => ({ one, bytes: Buffer.from(one.path) }));
  sortable.sort((left, right) => Buffer.compare(left.bytes, right.bytes));
  return sortable.map(({ one }) => one);
}

/** What is at a path below `root`; undefined if there is nothing, or if a link replaced a folder around it. */
function statsWithoutLinks(root: string): (path: string) => Promise<Stats | undefined> {
  const folders = new Map<string, string>();
  return async (path) => {
    const place = join(root, path);
    const folder = dirname(place);
    try {
      if (!folders.has(folder)) folders.set(folder, await realpath(folder));
      return folders.get(folder) === folder ? await lstat(place) : undefined;
    } catch (error) {
      // In place of bytes that are not UTF-8.
      if (isMissing(error) && !path.includes("\ufffd")) return undefined;
      throw readError(path, error);
    }
  };
}

function isMissing(error: unknown): boolean {
  return isNativeError(error) && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
