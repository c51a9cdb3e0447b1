import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { readDockerIgnore } from "./docker-ignore.ts";
import type { GitOptions } from "./git.ts";
import { excludedFolder, type ListedPath, listPaths } from "./list-paths.ts";
import type { LeftOut, SourceFile, SourceFolder, SourceListing } from "./source-files.ts";

/** What google-github-actions/auth and google-github-actions/get-gke-credentials leave in the workspace. */
const credentialsFile = /(^|\/)(gha-creds-[^/]*\.json|gha-kubeconfig-[^/]*)$/;

/**
 * The files of a folder that belong into its archive (docs/specification.md#the-archive). `credentials`: files that earlier
 * steps of the job wrote, as absolute paths.
 */
export async function listFiles(
  source: SourceFolder,
  options: GitOptions,
  credentials: readonly string[] = [],
): Promise<SourceListing> {
  const isIgnoredByDocker = await readDockerIgnore(source);
  const { paths, ignored, ...listed } = await listPaths(source, options);
  const reasonOf = (path: ListedPath): keyof LeftOut | undefined => {
    if (excludedFolder(path.path) !== undefined) return "folders";
    if (isIgnoredByDocker(path.path)) return "ignored";
    return isCredentials(path, source, credentials) ? "credentials" : undefined;
  };
  const files: SourceFile[] = [];
  const leftOut: Record<keyof LeftOut, string[]> = {
    links: [],
    folders: [],
    credentials: [],
    ignored: [...ignored],
  };
  let lacksFiles = false;
  for (const path of sortedByBytes(paths)) {
    options.signal.throwIfAborted();
    const reason = reasonOf(path);
    if (reason !== undefined) {
      leftOut[reason].push(excludedFolder(path.path) ?? path.path);
      continue;
    }
    const { file, isLink } = await readListed(path, source);
    if (file !== undefined) files.push(file);
    else if (path.isFile) lacksFiles = true;
    if (isLink) leftOut.links.push(path.path);
  }
  return {
    files,
    leftOut: { ...leftOut, folders: [...new Set(leftOut.folders)] },
    checkouts: listed.checkouts,
    missingSubmodules: listed.missingSubmodules.filter((path) => !isIgnoredByDocker(path)),
    lacksFiles,
  };
}

function isCredentials(
  { path, blob }: ListedPath,
  source: SourceFolder,
  credentials: readonly string[],
): boolean {
  const isNamed = blob === undefined && credentials.includes(join(source.path, path));
  return isNamed || credentialsFile.test(path);
}

/** What is at a path that git lists. */
async function readListed(
  { path, checkout, blob }: ListedPath,
  source: SourceFolder,
): Promise<{ readonly file?: SourceFile; readonly isLink: boolean }> {
  const place = join(source.path, path);
  // Git also lists tracked files that were removed. A name that is not UTF-8 can't be found by its text.
  const stats = await lstat(place).catch((error: unknown) => {
    if (blob === undefined || path.includes("\ufffd")) throw error;
  });
  const isLink = stats?.isSymbolicLink() ?? false;
  // A link may have replaced a folder around the file.
  if (!stats?.isFile() || (await realpath(place)) !== place) return { isLink };
  const isExecutable = (stats.mode & 0o100) !== 0;
  return { file: { path, bytes: stats.size, isExecutable, checkout, blob }, isLink };
}

function sortedByBytes<T extends { readonly path: string }>(listed: readonly T[]): T[] {
  const sortable = listed.map((one) => ({ one, bytes: Buffer.from(one.path) }));
  sortable.sort((left, right) => Buffer.compare(left.bytes, right.bytes));
  return sortable.map(({ one }) => one);
}
