import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findRepository, type GitOptions, git, isCheckout } from "./git.ts";
import type { Checkout, Repository, SourceFile, SourceFolder } from "./source-files.ts";

/** The names of folders that are never in an archive, besides `.git`, which git never lists. */
const excludedFolders: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".mypy_cache",
]);

/** The outermost folder around a path that its name leaves out; undefined if there is none. */
export function excludedFolder(path: string): string | undefined {
  const names = path.split("/");
  const index = names.findIndex((name, at) => at < names.length - 1 && excludedFolders.has(name));
  return index < 0 ? undefined : names.slice(0, index + 1).join("/");
}

/** What git says of a path. */
export interface ListedPath extends Pick<SourceFile, "path" | "checkout" | "blob"> {
  /** Whether git tracks it as a file that must be there, unlike a link or a file outside of a sparse checkout. */
  readonly isFile: boolean;
}

/**
 * What git tracks below a folder, and what it does not ignore. Without a checkout, the `.gitignore` files from the workspace
 * down count, by an empty repository of our own.
 */
export async function listPaths(
  { path: folder, workspace }: SourceFolder,
  options: GitOptions,
): Promise<{ readonly paths: readonly ListedPath[]; readonly checkouts: readonly Checkout[] }> {
  const list = async (repository: Repository) => {
    const paths = new Map<string, ListedPath>();
    const checkouts = await listCheckout({ ...repository, prefix: "", commit: undefined }, paths, options);
    return { paths: [...paths.values()], checkouts };
  };
  const repository = await findRepository({ path: folder, workspace });
  if (repository !== undefined) return await list(repository);
  const gitDir = await mkdtemp(join(options.temporaryFolder, "source-git-"));
  try {
    const empty = { gitDir, workTree: workspace, folder };
    await git(empty, ["init", "--quiet", "--template="], options);
    return { ...(await list(empty)), checkouts: [] };
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

const listCommand = [
  ...["ls-files", "-z", "-t", "--stage", "--cached", "--others"],
  // Not `--exclude-standard`, which reads settings of the machine and the clone too.
  "--exclude-per-directory=.gitignore",
  ...[...excludedFolders].map((name) => `--exclude=${name}/`),
];
/** `? path`, or for what git tracks `H 100644 HASH 0<tab>path`; S: a sparse checkout may lack it. */
const listedPath = /(?:\? |(.) (\d{6}) ([0-9a-f]+) \d\t)([^\0]*)\0/g;
const submoduleMode = "160000";

/** Adds the paths of a checkout and of those in it to `paths`, and returns these checkouts. */
async function listCheckout(
  checkout: Checkout,
  paths: Map<string, ListedPath>,
  options: GitOptions,
): Promise<Checkout[]> {
  const checkouts = [checkout];
  const output = await git(checkout, listCommand, options);
  for (const [, tag, mode, hash, name = ""] of output.matchAll(listedPath)) {
    const path = `${checkout.prefix}${name}`;
    // Git lists a repository in another one by its name, and not what is in it.
    if (mode === submoduleMode || name.endsWith("/")) {
      const nested = await findNested(checkout, name, hash);
      if (nested !== undefined) checkouts.push(...(await listCheckout(nested, paths, options)));
    } else {
      const isFile = tag !== "S" && mode?.startsWith("100") === true;
      paths.set(path, { path, checkout, blob: hash, isFile });
    }
  }
  return checkouts;
}

/** A repository in another one; undefined if it is a submodule that is not checked out. */
async function findNested(
  around: Checkout,
  name: string,
  commit: string | undefined,
): Promise<Checkout | undefined> {
  const folder = join(around.folder, name);
  const prefix = `${around.prefix}${name}`.replace(/\/?$/, "/");
  if (excludedFolder(prefix) !== undefined || !(await isCheckout(folder))) return undefined;
  return { gitDir: join(folder, ".git"), workTree: folder, folder, prefix, commit: commit ?? "" };
}
