/** A column that the header line of every export has (platform-api, "Granular usage export"). */
const column = "Time Bucket Start";
/** No header line is longer. */
const maxBytes = 4096;

/** Looks at the first line of what is said to be a CSV export, however it is cut into chunks. */
export class CsvHead {
  #line: Buffer = Buffer.alloc(0);
  #over = false;

  /** Takes the next chunk; false as soon as it is plain that this is no export. */
  add(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    this.#line = Buffer.concat([this.#line, chunk.subarray(0, maxBytes)]);
    if (this.#line.length < maxBytes && !this.#line.includes("\n")) return true;
    return this.end();
  }

  /** Whether what came, if nothing follows, is the start of an export. */
  end(): boolean {
    this.#over = true;
    const end = this.#line.indexOf("\n");
    return this.#line.subarray(0, end < 0 ? undefined : end).includes(column);
  }
}
