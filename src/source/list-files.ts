import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isNativeError } from "node:util/types";
import { undefinedIf } from "../errors.ts";
import { readDockerIgnore } from "./docker-ignore.ts";
import type { Checkout, GitOptions } from "./git.ts";
import { isInExcludedFolder, type ListedPath, listPaths } from "./list-paths.ts";
import type { SourceFolder } from "./source-folder.ts";

/** A file of the archive. */
export interface SourceFile extends Omit<ListedPath, "isFile"> {
  readonly bytes: number;
}

export interface SourceListing {
  readonly source: SourceFolder;
  /** The files in the order of their paths' bytes. */
  readonly files: readonly SourceFile[];
  /** Paths that are not in the archive. Those of repositories end with `/`. */
  readonly leftOut: readonly string[];
  /** The checkout of the folder, and those in it; empty without one. */
  readonly checkouts: readonly Checkout[];
  readonly missingSubmodules: readonly string[];
  /** Whether a file that git tracks is missing, or no file any more. */
  readonly lacksFiles: boolean;
}

export function hasFile({ files }: SourceListing, path: string): boolean {
  return files.some((file) => file.path === path);
}

/** Files that google-github-actions/auth and google-github-actions/get-gke-credentials leave in the workspace. */
const credentialsFile = /(^|\/)(gha-creds-[^/]*\.json|gha-kubeconfig-[^/]*)$/;

/** Lists the files of a folder that belong into its archive (docs/specification.md#the-archive). */
export async function listFiles(source: SourceFolder, options: GitOptions): Promise<SourceListing> {
  const isIgnoredByDocker = await readDockerIgnore(source);
  const { paths, ignored, checkouts, missingSubmodules } = await listPaths(source, options);
  const isLeftOut = (path: string) =>
    isInExcludedFolder(path) || isIgnoredByDocker(path) || credentialsFile.test(path);
  const files: SourceFile[] = [];
  const leftOut = [...ignored];
  let lacksFiles = false;
  for (const { path, checkout, blob, ...tracked } of paths.toSorted(compareBytes)) {
    options.signal.throwIfAborted();
    if (isLeftOut(path)) {
      leftOut.push(path);
      continue;
    }
    const absolutePath = join(source.path, path);
    // A file whose name is not UTF-8 only seems to be removed.
    const mayBeRemoved = blob !== undefined && !path.includes("\ufffd");
    const stats = await undefinedIf(
      () => lstat(absolutePath),
      (error) => mayBeRemoved && isMissing(error),
    );
    // A link may have replaced a folder around the file.
    if (stats?.isFile() && (await realpath(absolutePath)) === absolutePath) {
      // Windows shows no permission to execute, but Git knows it.
      const isExecutable = tracked.isExecutable || (stats.mode & 0o100) !== 0;
      files.push({ path, bytes: stats.size, isExecutable, checkout, blob });
    } else {
      lacksFiles ||= tracked.isFile;
      if (stats !== undefined) leftOut.push(path);
    }
  }
  return {
    source,
    files,
    leftOut,
    checkouts,
    missingSubmodules: missingSubmodules.filter((path) => !isIgnoredByDocker(path)),
    lacksFiles,
  };
}

/** Whether a path does not exist, maybe because a file replaced a folder around it. */
function isMissing(error: unknown): boolean {
  return isNativeError(error) && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
}

function compareBytes(left: ListedPath, right: ListedPath): number {
  return Buffer.compare(Buffer.from(left.path), Buffer.from(right.path));
}
