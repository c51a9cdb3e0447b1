import type { FileHandle } from "node:fs/promises";

/** What is written at once, in bytes: fewer, larger writes; more would only need more memory (docs/benchmarks.md). */
const batchBytes = 128 * 1024;

/** Writes chunks to a file in batches, one of them while the next comes in. */
export class FileSink {
  readonly #file: FileHandle;
  #batch: Uint8Array[] = [];
  #size = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Takes a chunk over: its memory is given back once it is written. @throws what an earlier write failed with. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#batch.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= batchBytes) await this.#flush();
  }

  /** Resolves once everything is written. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  async #flush(): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeBatch(this.#batch, this.#size);
    // Whoever writes next gets the error; if nobody does, the file is given up for another one.
    this.#writing.catch(() => {});
    this.#batch = [];
    this.#size = 0;
  }

  async #writeBatch(batch: readonly Uint8Array[], size: number): Promise<void> {
    const { bytesWritten } = await this.#file.writev(batch);
    if (bytesWritten < size) throw new Error(`only ${bytesWritten} of ${size} bytes were taken`);
    for (const chunk of batch) giveBack(chunk);
  }
}

/**
 * Frees a chunk's memory at once. The collector would let some 60 MB of such chunks gather, because it sees how many
 * there are and not how large.
 */
function giveBack(chunk: Uint8Array): void {
  const isItsOwn = chunk.byteLength === chunk.buffer.byteLength;
  if (isItsOwn && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
}
