/** The folder of `source_path`. Both paths are absolute and free of links. */
export interface SourceFolder {
  readonly path: string;
  readonly workspace: string;
}

/** A folder of a repository. */
export interface Repository {
  /** The folder or file `.git`. */
  readonly gitDir: string;
  readonly workTree: string;
  /** The folder itself, absolute. */
  readonly folder: string;
}

/** A folder of a repository whose files belong to the source. */
export interface Checkout extends Repository {
  /** What the paths of its files begin with: empty, or the path of a nested repository with `/` at its end. */
  readonly prefix: string;
  /** Of a nested repository: the commit that the repository around it records, empty if it records none. */
  readonly commit: string | undefined;
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
  /** In the order of their paths' bytes. */
  readonly files: readonly SourceFile[];
  /** The symbolic links, which are left out. */
  readonly links: readonly string[];
  /** The folders with tracked files that their names leave out. */
  readonly folders: readonly string[];
  /** The checkout of the folder, and those in it; empty without one. */
  readonly checkouts: readonly Checkout[];
  /** Whether files that git tracks are not there. */
  readonly lacksFiles: boolean;
}
