import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import {
  checkoutOf,
  excludedFolders,
  foldersAbove,
  type GitOptions,
  isCheckout,
  noTrackedPaths,
  type TrackedPaths,
  trackedIgnoredPaths,
} from "./checkout.ts";
import { type DockerIgnore, GitIgnoreRules, readDockerIgnore, readGitIgnore } from "./ignore-rules.ts";
import {
  readError,
  type SourceFile,
  type SourceFolder,
  type SourceListing,
  versionOf,
} from "./source-files.ts";

/**
 * The files of a folder that belong into its archive (docs/specification.md#the-archive).
 *
 * @throws Failure if one can't be read or git does not finish in time, and the signal's reason
 */
export async function listFiles(source: SourceFolder, options: GitOptions): Promise<SourceListing> {
  const checkout = await checkoutOf(source);
  const lister = new Lister(source, checkout, await readDockerIgnore(source.path), options);
  const tracked = await lister.trackedBelow("", checkout);
  await lister.visit("", { rules: await rulesAround(source, checkout), tracked, isIgnored: false });
  return lister.listing();
}

/** What the folders around an entry say about it. */
interface FolderScope {
  readonly rules: GitIgnoreRules;
  readonly tracked: TrackedPaths;
  /** Whether one of them is ignored, so that nothing but tracked files counts. */
  readonly isIgnored: boolean;
}

class Lister {
  readonly #source: SourceFolder;
  readonly #root: string;
  /** The root's path in its checkout, with `/` at its end; `""` if it is the checkout. */
  readonly #prefix: string;
  readonly #isIgnoredByDocker: DockerIgnore;
  readonly #options: GitOptions;
  readonly #files: SourceFile[] = [];
  readonly #trackedExcluded: string[] = [];
  #links = 0;
  #hasIgnored = false;
  #lacksGit = false;

  constructor(source: SourceFolder, checkout: string, isIgnoredByDocker: DockerIgnore, options: GitOptions) {
    this.#source = source;
    this.#options = options;
    this.#root = source.path;
    this.#prefix = relative(checkout, source.path).replaceAll(sep, "/").replace(/.$/s, "$&/");
    this.#isIgnoredByDocker = isIgnoredByDocker;
  }

  listing(): SourceListing {
    const sortable = this.#files.map((file) => ({ file, bytes: Buffer.from(file.path) }));
    sortable.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
    return {
      files: sortable.map(({ file }) => file),
      links: this.#links,
      trackedExcluded: this.#trackedExcluded.toSorted(),
      hasIgnored: this.#hasIgnored,
      lacksGit: this.#lacksGit,
    };
  }

  /** What git tracks below a folder of a checkout although rules match it. */
  async trackedBelow(path: string, checkout: string): Promise<TrackedPaths> {
    const tracked = await trackedIgnoredPaths(this.#source, path, this.#options);
    if (tracked === undefined && (await isCheckout(checkout))) this.#lacksGit = true;
    return tracked ?? noTrackedPaths;
  }

  /** Lists a folder. `path`: relative to the root, with `/` at its end; `""` for the root. */
  async visit(path: string, outer: FolderScope): Promise<void> {
    this.#options.signal.throwIfAborted();
    const folder = join(this.#root, path);
    const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
      throw readError(folder, cause);
    });
    const has = (wanted: string) => entries.some(({ name }) => name === wanted);
    // A repository in another one, such as a submodule, has rules and tracked files of its own.
    const isNested = path !== "" && has(".git");
    const inherited = isNested ? new GitIgnoreRules() : outer.rules;
    const text = has(".gitignore") ? await readGitIgnore(folder) : undefined;
    const inside: FolderScope = {
      rules: text === undefined ? inherited : inherited.with(this.#inCheckout(path).slice(0, -1), text),
      tracked: isNested ? await this.trackedBelow(path, folder) : outer.tracked,
      isIgnored: outer.isIgnored,
    };
    for (const entry of entries) {
      // In a submodule it is a file.
      if (entry.name === ".git") continue;
      if (entry.isDirectory()) await this.#addFolder(`${path}${entry.name}`, entry.name, inside);
      else await this.#addFile(`${path}${entry.name}`, entry, inside);
    }
  }

  async #addFolder(path: string, name: string, around: FolderScope): Promise<void> {
    // Git tracks a submodule as one entry.
    const isLeftOut = this.#isLeftOut(path, `${path}/`, around);
    const isExcluded = excludedFolders.has(name);
    if (isExcluded && around.tracked.hasBelow(path)) this.#trackedExcluded.push(path);
    if (isExcluded || (isLeftOut && !around.tracked.hasBelow(path))) {
      this.#hasIgnored = true;
      return;
    }
    await this.visit(`${path}/`, { ...around, isIgnored: isLeftOut });
  }

  async #addFile(path: string, entry: Dirent, around: FolderScope): Promise<void> {
    if (this.#isLeftOut(path, path, around) || this.#isIgnoredByDocker(path)) {
      this.#hasIgnored = true;
      return;
    }
    if (entry.isSymbolicLink()) this.#links += 1;
    if (!entry.isFile()) return;
    const stats = await lstat(join(this.#root, path)).catch((cause: unknown) => {
      throw readError(path, cause);
    });
    const isExecutable = (stats.mode & 0o100) !== 0;
    this.#files.push({ path, bytes: stats.size, isExecutable, version: versionOf(stats) });
  }

  #isLeftOut(path: string, pathForRules: string, { rules, tracked, isIgnored }: FolderScope): boolean {
    return (isIgnored || rules.ignores(this.#inCheckout(pathForRules))) && !tracked.has(path);
  }

  #inCheckout(path: string): string {
    return `${this.#prefix}${path}`;
  }
}

/** The rules of the folders around a source folder, from its checkout down. */
async function rulesAround(source: SourceFolder, checkout: string): Promise<GitIgnoreRules> {
  const inCheckout = relative(checkout, source.path);
  let rules = new GitIgnoreRules();
  for (const folder of inCheckout === "" ? [] : ["", ...foldersAbove(inCheckout.replaceAll(sep, "/"))]) {
    rules = rules.with(folder, await readGitIgnore(join(checkout, folder)));
  }
  return rules;
}
