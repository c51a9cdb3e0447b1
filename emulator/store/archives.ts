/** The uploaded archives: files beside the data file, else in a temporary folder that is removed at the end. */
import { randomUUID } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const SUFFIX = ".tar.gz";

export class ArchiveFolder {
  readonly #isKept: boolean;
  /** The names of the files that are being written. */
  readonly #parts = new Set<string>();
  #folder: string | undefined;

  constructor(dataFile: string | undefined) {
    this.#isKept = dataFile !== undefined;
    this.#folder = dataFile && `${dataFile}.archives`;
  }

  /** The path of an archive; undefined if there is none. */
  find(id: string): string | undefined {
    const path = this.#pathOf(id);
    return existsSync(path) ? path : undefined;
  }

  #pathOf(id: string): string {
    return join(this.#existing(), id + SUFFIX);
  }

  /** Most emulators never get an upload, so the folder is made when the first one comes. */
  #existing(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), "emulator-archives-"));
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return this.#folder;
  }

  /**
   * Streams an archive to disk; nothing of it stays unless `accept` lets it.
   * @param accept is called with the first bytes once all are there, right before the archive gets its name
   * @throws what reading the body or `accept` throws
   */
  async save(id: string, body: ReadableStream<Uint8Array>, accept: (head: Buffer) => void): Promise<void> {
    const name = `${id}.${randomUUID()}.part`;
    const part = join(this.#existing(), name);
    this.#parts.add(name);
    try {
      await pipeline(Readable.fromWeb(body), createWriteStream(part, { mode: 0o600 }));
      const head = await headOf(part);
      // No other request comes between these two.
      accept(head);
      renameSync(part, this.#pathOf(id));
    } finally {
      this.#parts.delete(name);
      await rm(part, { force: true });
    }
  }

  /** Removes every file but the archives with these ids and what is being written. */
  keepOnly(ids: readonly string[]): void {
    if (this.#folder === undefined || !existsSync(this.#folder)) return;
    const kept = new Set([...this.#parts, ...ids.map((id) => id + SUFFIX)]);
    for (const file of readdirSync(this.#folder)) {
      if (!kept.has(file)) rmSync(join(this.#folder, file), { force: true });
    }
  }

  close(): void {
    if (!this.#isKept && this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
