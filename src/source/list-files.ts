import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isNativeError } from "node:util/types";
import { undefinedIf } from "../errors.ts";
import { readDockerIgnore } from "./docker-ignore.ts";
import type { GitOptions } from "./git.ts";
import { isInExcludedFolder, type ListedPath, listPaths } from "./list-paths.ts";
import type { SourceFile, SourceFolder, SourceListing } from "./source-files.ts";

/** Files that google-github-actions/auth and google-github-actions/get-gke-credentials leave in the workspace. */
const credentialsFile = /(^|\/)(gha-creds-[^/]*\.json|gha-kubeconfig-[^/]*)$/;

/**
 * Lists the files of a folder that belong into its archive (docs/specification.md#the-archive). `credentials`: absolute paths
 * of files that earlier steps of the job wrote.
 */
export async function listFiles(
  source: SourceFolder,
  options: GitOptions,
  credentials: readonly string[],
): Promise<SourceListing> {
  const isIgnoredByDocker = await readDockerIgnore(source);
  const { paths, ignored, checkouts, missingSubmodules, gaps } = await listPaths(source, options);
  const isLeftOut = ({ path, blob }: ListedPath) =>
    isInExcludedFolder(path) ||
    isIgnoredByDocker(path) ||
    credentialsFile.test(path) ||
    (blob === undefined && credentials.includes(join(source.path, path)));
  const files: SourceFile[] = [];
  const leftOut = [...ignored];
  let lacksFiles = false;
  for (const listed of sortedByBytes(paths)) {
    options.signal.throwIfAborted();
    if (isLeftOut(listed)) {
      leftOut.push(listed.path);
      continue;
    }
    const absolutePath = join(source.path, listed.path);
    const stats = await readStats(absolutePath, listed);
    // A link may have replaced a folder around the file.
    if (stats?.isFile() && (await realpath(absolutePath)) === absolutePath) {
      const { path, checkout, blob } = listed;
      // Windows shows no permission to execute, but Git knows it.
      const isExecutable = listed.isExecutable || (stats.mode & 0o100) !== 0;
      files.push({ path, bytes: stats.size, isExecutable, checkout, blob });
    } else {
      lacksFiles ||= listed.isFile;
      if (stats !== undefined) leftOut.push(listed.path);
    }
  }
  return {
    source,
    files,
    leftOut,
    checkouts,
    missingSubmodules: missingSubmodules.filter((path) => !isIgnoredByDocker(path)),
    lacksFiles,
    gaps,
  };
}

/** Returns undefined for a tracked file that was removed. A file whose name is not UTF-8 only seems to be removed. */
async function readStats(absolutePath: string, { path, blob }: ListedPath): Promise<Stats | undefined> {
  const mayBeRemoved = blob !== undefined && !path.includes("\ufffd");
  const isRemoved = (error: unknown) =>
    mayBeRemoved && isNativeError(error) && "code" in error && /^(ENOENT|ENOTDIR)$/.test(String(error.code));
  return await undefinedIf(() => lstat(absolutePath), isRemoved);
}

function sortedByBytes<T extends { readonly path: string }>(listed: readonly T[]): T[] {
  const sortable = listed.map((entry) => ({ entry, bytes: Buffer.from(entry.path) }));
  sortable.sort((left, right) => Buffer.compare(left.bytes, right.bytes));
  return sortable.map(({ entry }) => entry);
}
