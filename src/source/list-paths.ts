import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { toResult } from "../errors.ts";
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

/** The outermost folder around a path whose name is never in an archive; undefined if there is none. */
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

/** What git finds below a folder. */
interface Listed {
  readonly paths: readonly ListedPath[];
  /** What `.gitignore` files leave out; with `/` at its end if it is a repository. */
  readonly ignored: readonly string[];
  /** The checkout of the folder, and those in it. */
  readonly checkouts: readonly Checkout[];
  /** The submodules that are not checked out. */
  readonly missingSubmodules: readonly string[];
}

/**
 * What git tracks below a folder, and what it does not ignore. Without a checkout, the `.gitignore` files from the workspace
 * down count, by an empty repository of our own.
 */
export async function listPaths(
  { path: folder, workspace }: SourceFolder,
  options: GitOptions,
): Promise<Listed> {
  const list = (repository: Repository) =>
    listCheckout({ ...repository, prefix: "", commit: undefined }, options);
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

// `--exclude-standard` would also read settings of the machine and the clone.
const ignoreFiles = "--exclude-per-directory=.gitignore";
const listCommand = [
  ...["ls-files", "-z", "-t", "--stage", "--cached", "--others", ignoreFiles],
  ...[...excludedFolders].map((name) => `--exclude=${name}/`),
];
const listIgnoredCommand = [
  ...["ls-files", "-z", "--others", "--ignored", ignoreFiles, "--", "."],
  ...[...excludedFolders].map((name) => `:(exclude,glob)**/${name}/**`),
];
/** `? path`, or for what git tracks `H 100644 HASH 0<tab>path`; S: a sparse checkout may lack it. */
const listedPath = /(?:\? |(.) (\d{6}) ([0-9a-f]+) \d\t)([^\0]*)\0/g;
const submoduleMode = "160000";

/** What git finds in a checkout, and in those in it. */
async function listCheckout(checkout: Checkout, options: GitOptions): Promise<Listed> {
  const paths = new Map<string, ListedPath>();
  const nested: Listed[] = [];
  const missingSubmodules: string[] = [];
  const output = await git(checkout, listCommand, options);
  for (const [, tag, mode, hash, name = ""] of output.matchAll(listedPath)) {
    const path = `${checkout.prefix}${name}`;
    // Git lists a repository in another one by its name, and not what is in it.
    if (mode === submoduleMode || name.endsWith("/")) {
      const found = await findNested(checkout, name, hash);
      if (found !== undefined) nested.push(await listCheckout(found, options));
      else if (excludedFolder(`${path}/`) === undefined) missingSubmodules.push(path);
    } else {
      const isFile = tag !== "S" && mode?.startsWith("100") === true;
      paths.set(path, { path, checkout, blob: hash, isFile });
    }
  }
  // Best effort: there may be too many for the memory.
  const ignored = await toResult(() => git(checkout, listIgnoredCommand, options), options.signal);
  const ignoredNames = "value" in ignored ? ignored.value.split("\0").slice(0, -1) : [];
  return {
    paths: [...paths.values(), ...nested.flatMap((one) => one.paths)],
    ignored: [
      ...ignoredNames.map((name) => `${checkout.prefix}${name}`),
      ...nested.flatMap((one) => one.ignored),
    ],
    checkouts: [checkout, ...nested.flatMap((one) => one.checkouts)],
    missingSubmodules: [...missingSubmodules, ...nested.flatMap((one) => one.missingSubmodules)],
  };
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
