import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Checkout, findCheckout, type GitOptions, isCheckout, runGit } from "./git.ts";
import type { SourceFolder } from "./source-folder.ts";

/** The names of folders that are never in an archive, besides `.git`, which git never lists. */
const excludedFolders = ["node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"];

export function isInExcludedFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => excludedFolders.includes(name));
}

/** A path that git tracks or does not ignore. */
export interface ListedPath {
  /** Relative to the folder of `source_path`, with `/` between its parts. */
  readonly path: string;
  readonly checkout: Checkout;
  /** The hash of the tracked content; undefined if git does not track the path. */
  readonly blob: string | undefined;
  readonly isExecutable: boolean;
  /** Whether git tracks it as a file that must be there, unlike a link or a file outside of a sparse checkout. */
  readonly isFile: boolean;
}

interface Listing {
  readonly paths: ListedPath[];
  /** The paths that `.gitignore` files leave out. Those of repositories end with `/`. */
  readonly ignored: string[];
  /** The checkout of the folder, and those in it. */
  readonly checkouts: Checkout[];
  readonly missingSubmodules: string[];
}

/**
 * Lists the paths below a folder that git tracks or does not ignore. Without a checkout, an empty repository in a temporary
 * folder makes git apply the `.gitignore` files from the workspace down.
 */
export async function listPaths(source: SourceFolder, options: GitOptions): Promise<Listing> {
  const listing: Listing = { paths: [], ignored: [], checkouts: [], missingSubmodules: [] };
  const checkout = findCheckout(source);
  if (checkout !== undefined) {
    await addCheckout(checkout, options, listing);
    return listing;
  }
  const gitDir = await mkdtemp(join(options.temporaryFolder, "source-git-"));
  try {
    const empty = { gitDir, workTree: source.workspace, folder: source.path, prefix: "" };
    await runGit(empty, ["init", "--quiet", "--template="], options);
    await addCheckout(empty, options, listing);
    return { ...listing, checkouts: [] };
  } finally {
    // Best effort, like the removal of an archive.
    await rm(gitDir, { recursive: true }).catch(() => {});
  }
}

// `--exclude-standard` would also read settings of the machine and the clone.
const ignoreFiles = "--exclude-per-directory=.gitignore";
// biome-ignore format: several a line
const listCommand = [
  "ls-files", "-z", "-t", "--stage", "--cached", "--others", ignoreFiles,
  ...excludedFolders.map((name) => `--exclude=${name}/`),
];
// biome-ignore format: several a line
const listIgnoredCommand = [
  "ls-files", "-z", "--others", "--ignored", ignoreFiles, "--", ".",
  ...excludedFolders.map((name) => `:(exclude,glob)**/${name}/**`),
];
/** `? path`, or for a tracked path `H 100644 HASH 0<tab>path`, with `S` in place of `H` if a sparse checkout may lack it. */
const listedPath = /(?:\? |(.) (\d{6}) ([0-9a-f]+) \d\t)([^\0]*)\0/g;
const submoduleMode = "160000";

/** Adds the paths in a checkout and in its nested repositories. */
async function addCheckout(checkout: Checkout, options: GitOptions, listing: Listing): Promise<void> {
  listing.checkouts.push(checkout);
  const output = await runGit(checkout, listCommand, options);
  for (const [, tag, mode, blob, name = ""] of output.matchAll(listedPath)) {
    const path = `${checkout.prefix}${name}`;
    // Git lists only the name of a nested repository, and not its files.
    if (mode === submoduleMode || name.endsWith("/")) {
      const nested = findNested(checkout, name, blob);
      if (nested !== undefined) await addCheckout(nested, options, listing);
      else if (!isInExcludedFolder(`${path}/`)) listing.missingSubmodules.push(path);
    } else {
      const isFile = tag !== "S" && mode?.startsWith("100") === true;
      listing.paths.push({ path, checkout, blob, isFile, isExecutable: mode === "100755" });
    }
  }
  const ignored = (await runGit(checkout, listIgnoredCommand, options)).split("\0").slice(0, -1);
  // An argument for each path would overflow the stack.
  for (const name of ignored) listing.ignored.push(`${checkout.prefix}${name}`);
}

/** Finds a nested repository; undefined if it is a submodule that is not checked out. */
function findNested(around: Checkout, name: string, commit = ""): Checkout | undefined {
  const folder = join(around.folder, name);
  const prefix = `${around.prefix}${name}`.replace(/\/?$/, "/");
  if (isInExcludedFolder(prefix) || !isCheckout(folder)) return undefined;
  return { gitDir: join(folder, ".git"), workTree: folder, folder, prefix, commit };
}
