import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, posix, relative, resolve, sep } from "node:path";

/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

/** Returns the folder relative to the workspace, with `/` between its parts; `""` if it is the workspace. */
export function relativeToWorkspace({ path, workspace }: SourceFolder): string {
  return relative(workspace, path).replaceAll(sep, "/");
}

/** Whether a relative path, with `/` between its parts, leads out of its folder. */
export function isOutside(path: string): boolean {
  // Across the drives of Windows, even a relative path is absolute.
  return /^\.\.(\/|$)/.test(path) || isAbsolute(path);
}

/**
 * Reads a file by its path in the source.
 *
 * @throws Error if it can't be read, or if it is outside of the workspace because of links: its content could be shown
 */
export async function readInWorkspace(
  { path: folder, workspace }: SourceFolder,
  path: string,
): Promise<string> {
  const resolved = await realpath(resolve(folder, path));
  if (isOutside(relativeToWorkspace({ path: resolved, workspace })))
    throw new Error("It is outside of the workspace.");
  return await readFile(resolved, "utf8");
}

/** A folder of a repository whose files belong to the source. */
export interface Checkout {
  /** The folder or file `.git`. */
  readonly gitDir: string;
  readonly workTree: string;
  readonly folder: string;
  /** The start of the paths of its files: empty, or the path of a nested repository with `/` at its end. */
  readonly prefix: string;
  /** Of a nested repository: the commit that the repository around it records; empty if it records none. */
  readonly commit?: string;
}

export interface SourceFile {
  /** Relative to the folder of `source_path`, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  readonly checkout: Checkout;
  /** The hash of the tracked content; undefined if git does not track the file. */
  readonly blob: string | undefined;
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

/** Returns the folders around a path, the outermost first. */
export function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}
