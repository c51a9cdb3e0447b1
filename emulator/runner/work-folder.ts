/** The folder with the checkouts, one folder for each deployment, with one for each build, and with environments. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { messageOf } from "../errors.ts";
import { type FileLock, lockFile } from "../store/file-lock.ts";

/** The folder cannot be used. */
export class WorkFolderError extends Error {}

/** Its presence says that the folder is an emulator's, its content of which data file. */
const MARKER = ".emulator";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** The folder of a build in a path or a `file:` URL: see `WorkFolder.create`. */
const buildFolder = new RegExp(`/(?!/)[^\\s"'():]*/deployments/${uuid}/${uuid}-\\w{6}(?=/)`, "g");

/**
 * A text that a build or an agent printed, in which each build's folder is the one that holds the app in the vendor's images:
 * a path then says nothing about this machine, and can be found in the repository as on the platform.
 */
export function withImagePaths(text: string): string {
  return text.replace(buildFolder, "/deps/app");
}

export class WorkFolder {
  readonly #path: string;
  readonly #isKept: boolean;
  readonly #lock: FileLock;

  /**
   * @param path undefined for a temporary folder, which is removed at the end
   * @param dataFile whose deployments the folder is for; undefined if they are not kept
   * @throws {WorkFolderError} if it cannot be written, has something else in it, or belongs to another emulator
   */
  constructor(path: string | undefined, dataFile: string | undefined) {
    this.#isKept = path !== undefined;
    this.#path = path === undefined ? mkdtempSync(join(tmpdir(), "emulator-run-")) : resolve(path);
    try {
      // Sources are for their owner alone.
      mkdirSync(this.#path, { recursive: true, mode: 0o700 });
      claim(this.#path, dataFile === undefined ? "no data file" : resolve(dataFile));
      this.#lock = lockFile(join(this.#path, `${MARKER}.lock`));
      mkdirSync(this.#deployments, { recursive: true, mode: 0o700 });
      chmodSync(this.#deployments, 0o700);
      mkdirSync(this.environments, { mode: 0o700, recursive: true });
    } catch (cause) {
      const reason = messageOf(cause);
      throw new WorkFolderError(`--work-dir ${this.#path} cannot be used: ${reason}`, { cause });
    }
  }

  get #deployments(): string {
    return join(this.#path, "deployments");
  }

  /** A folder for the environments of agents in Python. */
  get environments(): string {
    return join(this.#path, "environments");
  }

  /** The names of all folders for builds. */
  async names(): Promise<string[]> {
    const ids = await namesIn(this.#deployments);
    const names = await Promise.all(ids.map((id) => namesIn(join(this.#deployments, id))));
    return names.flat();
  }

  /** An empty folder for a build. A killed one may still be writing into the folder that it got. */
  async create(deploymentId: string, revisionId: string): Promise<string> {
    const parent = join(this.#deployments, deploymentId);
    await mkdir(parent, { recursive: true });
    return await mkdtemp(join(parent, `${revisionId}-`));
  }

  /** Removes the folders of all other deployments. */
  async keepOnly(deploymentIds: readonly string[]): Promise<void> {
    for (const id of await namesIn(this.#deployments)) {
      if (!deploymentIds.includes(id)) await tryToRemove(join(this.#deployments, id));
    }
  }

  /** Removes the other folders of a deployment. */
  async keepOnlyOf(deploymentId: string, folders: readonly (string | null)[]): Promise<void> {
    const parent = join(this.#deployments, deploymentId);
    const others = (await namesIn(parent))
      .map((name) => join(parent, name))
      .filter((one) => !folders.includes(one));
    for (const folder of others) await tryToRemove(folder);
    if (folders.length === 0) await tryToRemove(parent);
  }

  /** Removes a temporary folder. */
  async close(): Promise<void> {
    this.#lock.release();
    if (!this.#isKept) await tryToRemove(this.#path);
  }
}

/** @throws if the folder is not for this data file: what is in it would be removed */
function claim(folder: string, dataFile: string): void {
  const marker = join(folder, MARKER);
  if (existsSync(marker)) {
    const owner = readFileSync(marker, "utf8").trim();
    if (owner === dataFile) return;
    throw new Error(`it is for another data file: ${owner}. Name a folder of its own, or delete this one.`);
  }
  if (readdirSync(folder).length > 0) {
    throw new Error("it is not empty, and no emulator has made it. Name a new or an empty folder.");
  }
  writeFileSync(marker, `${dataFile}\n`);
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** A folder that can't be removed now is removed later, and is no reason to stop. */
export async function tryToRemove(folder: string): Promise<void> {
  await removeFolder(folder).catch((error: unknown) => {
    console.error(`${folder} can't be removed: ${messageOf(error)}`);
  });
}

/**
 * Removes a folder with everything in it, also where a build took the right to write away, as Go does with its cache of
 * modules (https://go.dev/ref/mod#module-cache).
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch {
    await allowWriting(folder);
    await remove(folder);
  }
}

/** Repeats what fails while a process that is about to end writes into the folder. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function allowWriting(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await allowWriting(join(folder, entry.name));
}
