import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { checkoutOf, rulesAround, type TrackedPaths, trackedIgnoredPaths } from "./checkout.ts";
import { type DockerIgnore, readDockerIgnore } from "./docker-ignore.ts";
import { readError } from "./errors.ts";
import { GitIgnoreRules, readGitIgnore } from "./git-ignore.ts";
import type { SourceFile } from "./source-file.ts";
import type { SourceFolder } from "./source-folder.ts";

export interface SourceListing {
  /** In the order of their paths' bytes. */
  readonly files: readonly SourceFile[];
  /** How many symbolic links were left out. */
  readonly links: number;
}

/**
 * The files of a folder that belong into its archive (docs/specification.md#the-archive).
 *
 * @throws ActionError if one can't be read
 */
export async function listFiles(source: SourceFolder): Promise<SourceListing> {
  const lister = new Lister(source, await trackedIgnoredPaths(source), await readDockerIgnore(source.path));
  await lister.visit("", { rules: await rulesAround(source), isIgnored: false });
  return lister.listing();
}

const excludedFolders: ReadonlySet<string> = new Set([
  ...["node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"],
]);

/** What the folders around an entry say about it. */
interface Surroundings {
  readonly rules: GitIgnoreRules;
  /** Whether one of them is ignored, so that nothing but tracked files counts. */
  readonly isIgnored: boolean;
}

class Lister {
  readonly #root: string;
  /** The root's path in its checkout, with `/` at its end; `""` if it is the checkout. */
  readonly #prefix: string;
  readonly #tracked: TrackedPaths;
  readonly #isIgnoredByDocker: DockerIgnore;
  readonly #files: SourceFile[] = [];
  #links = 0;

  constructor(source: SourceFolder, tracked: TrackedPaths, isIgnoredByDocker: DockerIgnore) {
    this.#root = source.path;
    this.#prefix = relative(checkoutOf(source), source.path).replaceAll(sep, "/").replace(/.$/s, "$&/");
    this.#tracked = tracked;
    this.#isIgnoredByDocker = isIgnoredByDocker;
  }

  listing(): SourceListing {
    const sortable = this.#files.map((file) => ({ file, bytes: Buffer.from(file.path) }));
    sortable.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
    return { files: sortable.map(({ file }) => file), links: this.#links };
  }

  /** Lists a folder. `path`: relative to the root, with `/` at its end; `""` for the root. */
  async visit(path: string, { rules: outer, isIgnored }: Surroundings): Promise<void> {
    const folder = join(this.#root, path);
    const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
      throw readError(folder, cause);
    });
    // A repository in another one, such as a submodule, has rules of its own.
    const inherited = entries.some(({ name }) => name === ".git") ? new GitIgnoreRules() : outer;
    const text = entries.some(({ name }) => name === ".gitignore") ? await readGitIgnore(folder) : "";
    const rules = text === "" ? inherited : inherited.with(this.#inCheckout(path).slice(0, -1), text);
    for (const entry of entries) {
      // In a submodule it is a file.
      if (entry.name === ".git") continue;
      if (entry.isDirectory())
        await this.#addFolder(`${path}${entry.name}`, entry.name, { rules, isIgnored });
      else await this.#addFile(`${path}${entry.name}`, entry, { rules, isIgnored });
    }
  }

  async #addFolder(path: string, name: string, { rules, isIgnored }: Surroundings): Promise<void> {
    if (excludedFolders.has(name)) return;
    // Git tracks a submodule as one entry.
    const isLeftOut = (isIgnored || rules.ignores(this.#inCheckout(`${path}/`))) && !this.#tracked.has(path);
    if (isLeftOut && !this.#tracked.hasBelow(path)) return;
    await this.visit(`${path}/`, { rules, isIgnored: isLeftOut });
  }

  async #addFile(path: string, entry: Dirent, { rules, isIgnored }: Surroundings): Promise<void> {
    const isLeftOut = (isIgnored || rules.ignores(this.#inCheckout(path))) && !this.#tracked.has(path);
    if (isLeftOut || this.#isIgnoredByDocker(path)) return;
    if (entry.isSymbolicLink()) this.#links += 1;
    if (!entry.isFile()) return;
    const { size, mode } = await lstat(join(this.#root, path)).catch((cause: unknown) => {
      throw readError(path, cause);
    });
    this.#files.push({ path, bytes: size, isExecutable: (mode & 0o100) !== 0 });
  }

  #inCheckout(path: string): string {
    return `${this.#prefix}${path}`;
  }
}
