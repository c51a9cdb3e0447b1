/** The folder with the checkouts: one folder for each deployment, with one for each build. */
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder cannot be used. */
export class WorkFolderError extends Error {}

export class WorkFolder {
  readonly #path: string;
  readonly #isKept: boolean;

  /**
   * @param path undefined for a temporary folder, which is removed at the end
   * @throws {WorkFolderError}
   */
  constructor(path: string | undefined) {
    this.#isKept = path !== undefined;
    this.#path = path === undefined ? mkdtempSync(join(tmpdir(), "emulator-run-")) : resolve(path);
    try {
      // Sources are for their owner alone.
      mkdirSync(this.#deployments, { recursive: true, mode: 0o700 });
      chmodSync(this.#deployments, 0o700);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new WorkFolderError(`--work-dir ${this.#path} cannot be used: ${reason}`, { cause });
    }
  }

  get #deployments(): string {
    return join(this.#path, "deployments");
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
      if (!deploymentIds.includes(id)) await removeFolder(join(this.#deployments, id));
    }
  }

  /** Removes the other folders of a deployment. */
  async keepOnlyOf(deploymentId: string, folders: readonly (string | null)[]): Promise<void> {
    const parent = join(this.#deployments, deploymentId);
    const others = (await namesIn(parent))
      .map((name) => join(parent, name))
      .filter((one) => !folders.includes(one));
    for (const folder of others) await removeFolder(folder);
    if (folders.length === 0) await removeFolder(parent);
  }

  /** Removes a temporary folder. */
  async close(): Promise<void> {
    if (!this.#isKept) await removeFolder(this.#path);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** Repeats what fails while a process that is about to end writes into the folder. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
