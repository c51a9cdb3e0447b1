import { posix, relative, sep } from "node:path";

/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

/** The folder relative to the workspace, with `/` between its parts; `""` if it is the workspace. */
export function inWorkspace({ path, workspace }: SourceFolder): string {
  return relative(workspace, path).replaceAll(sep, "/");
}

/** A folder of a repository whose files belong to the source. */
export interface Checkout {
  /** The folder or file `.git`. */
  readonly gitDir: string;
  readonly workTree: string;
  /** The folder itself, absolute. */
  readonly folder: string;
  /** What the paths of its files begin with: empty, or the path of a nested repository with `/` at its end. */
  readonly prefix: string;
  /** The commit that the repository around a nested one records, empty if it records none. */
  readonly commit?: string;
}

export interface SourceFile {
  /** Relative to the folder of `source_path`, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  readonly checkout: Checkout;
  /** The hash by which git tracks it; undefined if git does not track it. */
  readonly blob: string | undefined;
}

export interface SourceListing {
  readonly source: SourceFolder;
  /** The files in the order of their paths' bytes. */
  readonly files: readonly SourceFile[];
  /** Paths that are not in the archive; with `/` at its end if it is a repository. */
  readonly leftOut: readonly string[];
  /** The checkout of the folder, and those in it; empty without one. */
  readonly checkouts: readonly Checkout[];
  /** The submodules that are not checked out. */
  readonly missingSubmodules: readonly string[];
  /** Whether files that git tracks are not there. */
  readonly lacksFiles: boolean;
}

export function hasFile({ files }: SourceListing, path: string): boolean {
  return files.some((file) => file.path === path);
}

/** The folders around a path, the outermost first. */
export function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}
