const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The key of the list. */
const listKey = "usage";

/**
 * Follows a JSON document byte by byte as far as it takes to know where the items of one list are: those of the key
 * `usage` of the outermost object. Nothing else is checked; whoever parses the pieces finds out. All that is kept is
 * where it stands.
 */
export class ItemScanner {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The start of the last text directly in the outermost object: the key, where a list follows. */
  #key = "";
  #inItems = false;
  #itemsEnd = 0;

  /** Whether what comes next stands in the list. */
  get inItems(): boolean {
    return this.#inItems;
  }

  /** Behind the last whole item that the last scan saw, 0 where it saw none. */
  get itemsEnd(): number {
    return this.#itemsEnd;
  }

  /** Goes on from `from` to behind the bracket that begins or ends the list, or to the chunk's end. */
  scan(chunk: Uint8Array, from: number): number {
    const wasInItems = this.#inItems;
    this.#itemsEnd = 0;
    let at = from;
    while (at < chunk.length && this.#inItems === wasInItems) {
      if (this.#inText) {
        at = this.#skipText(chunk, at);
      } else {
        at += 1;
        this.#step(chunk[at - 1] ?? 0, at);
      }
    }
    return at;
  }

  /** `behind`: the place behind the byte. */
  #step(byte: number, behind: number): void {
    if (byte === quote) {
      this.#inText = true;
      if (this.#depth === 1) this.#key = "";
    } else if (byte === openBrace || byte === openBracket) {
      this.#open(byte);
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#close(behind);
    }
  }

  /** Goes to behind the text's end, or to the chunk's. */
  #skipText(chunk: Uint8Array, from: number): number {
    let escaped = this.#escaped;
    let at = from;
    while (at < chunk.length && (escaped || chunk[at] !== quote)) {
      escaped = !escaped && chunk[at] === backslash;
      at += 1;
    }
    if (this.#depth === 1) this.#keepKey(chunk.subarray(from, at));
    this.#escaped = escaped;
    this.#inText = at === chunk.length;
    return Math.min(at + 1, chunk.length);
  }

  /** Enough of it to tell it from a longer one. */
  #keepKey(part: Uint8Array): void {
    const missing = listKey.length + 1 - this.#key.length;
    this.#key += Buffer.from(part.subarray(0, Math.max(0, missing))).toString("latin1");
  }

  #open(byte: number): void {
    this.#depth += 1;
    this.#inItems ||= this.#depth === 2 && byte === openBracket && this.#key === listKey;
  }

  #close(behind: number): void {
    this.#depth -= 1;
    if (this.#depth === 2) this.#itemsEnd = behind;
    else if (this.#depth < 2) this.#inItems = false;
  }
}
