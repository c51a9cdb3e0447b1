import * as v from "valibot";
import { parseJson, parseJsonOfAnyDepth } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { ItemScanner } from "./item-scanner.ts";
import { type Stride, type UsageItem, UsageItemSchema, UsageResponseSchema } from "./schemas.ts";

/** No honest item comes near, nor what stands around them. */
const maxBytes = 10_000_000;

/**
 * Reads a usage report while it arrives, so that its size doesn't matter: items are parsed and passed on as soon as
 * they are whole, and only what stands around them is kept.
 */
export class ReportReader {
  readonly #onItem: (item: UsageItem) => void;
  readonly #refuse: (what: string) => Error;
  readonly #scanner = new ItemScanner();
  /** The start of an item that isn't whole yet. */
  readonly #begun = new Pieces();
  /** The document without its items. */
  readonly #around = new Pieces();
  #count = 0;

  /** `refuse` makes the error that is thrown where the report isn't one, from what is wrong with it. */
  constructor(onItem: (item: UsageItem) => void, refuse: (what: string) => Error) {
    this.#onItem = onItem;
    this.#refuse = refuse;
  }

  /** Takes the next bytes of the report, and keeps nothing of the chunk itself. */
  add(chunk: Uint8Array): void {
    const scanner = this.#scanner;
    let from = 0;
    for (let at = 0; at < chunk.length; ) {
      const wasInItems = scanner.inItems;
      at = scanner.scan(chunk, at);
      if (scanner.inItems === wasInItems) continue;
      // The brackets belong to what stands around the items.
      const end = wasInItems ? at - 1 : at;
      const piece = chunk.subarray(from, end);
      if (wasInItems) this.#passItems(piece);
      else this.#around.keep(piece);
      from = end;
    }
    if (scanner.inItems && scanner.itemsEnd > from) {
      this.#passItems(chunk.subarray(from, scanner.itemsEnd));
      from = scanner.itemsEnd;
    }
    const rest = scanner.inItems ? this.#begun : this.#around;
    rest.keep(chunk.subarray(from));
    if (rest.size > maxBytes) throw this.#refuse("the body is not a usage report");
  }

  /** Says that nothing follows. */
  end(): Stride {
    const body = parseJson(this.#around.textWith(new Uint8Array()));
    if (body === undefined) throw this.#refuse("the body is not JSON");
    const parsed = v.safeParse(UsageResponseSchema, body);
    if (!parsed.success) throw this.#refuse(complaint(parsed.issues[0]));
    // Where the key was written in another way, the items are still here.
    for (const item of parsed.output.usage) this.#onItem(item);
    return parsed.output.stride;
  }

  /** Parses what makes items whole, with the comma before them unless they are the first. */
  #passItems(piece: Uint8Array): void {
    const text = this.#begun.textWith(piece);
    if (text.trim() === "") return;
    const comma = /^\s*,/.exec(text)?.[0] ?? "";
    const hasComma = comma !== "";
    const items =
      hasComma === this.#count > 0 ? parseJsonOfAnyDepth(`[${text.slice(comma.length)}]`) : undefined;
    if (!Array.isArray(items) || items.length === 0) throw this.#refuse("the body is not JSON");
    for (const item of items) {
      const parsed = v.safeParse(UsageItemSchema, item);
      if (!parsed.success) throw this.#refuse(complaint(parsed.issues[0], `usage.${this.#count}`));
      this.#onItem(parsed.output);
      this.#count += 1;
    }
  }
}

function complaint(issue: v.BaseIssue<unknown>, place?: string): string {
  const path = [place, v.getDotPath(issue)].filter((part) => part).join(".");
  return `${sanitizeExcerpt(path || "the body", 100)} is not what the API describes`;
}

/** Bytes that are kept until the next ones make something whole of them. */
class Pieces {
  #pieces: Uint8Array[] = [];
  size = 0;

  /** Keeps a copy: the bytes may be overwritten. */
  keep(piece: Uint8Array): void {
    this.#pieces.push(Uint8Array.from(piece));
    this.size += piece.length;
  }

  /** What was kept and this last piece, as text; nothing is kept any more. */
  textWith(last: Uint8Array): string {
    const text = Buffer.concat([...this.#pieces, last]).toString("utf8");
    this.#pieces = [];
    this.size = 0;
    return text;
  }
}
