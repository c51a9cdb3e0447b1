import type { LogReader } from "../../../platform/revision-log.ts";
import { linesOf } from "../../../text/strings.ts";

/** The size of the largest page that the platform allows. */
const pageSize = 1000;

/** Reads a log while it grows, page by page. */
export class LogFollower {
  readonly #readPage: LogReader;
  /** The start of the next page. */
  #offset: string | undefined;
  /** The number of known entries of the page at the offset. It is read again if the platform reports no next one. */
  #knownEntries = 0;

  constructor(readPage: LogReader) {
    this.#readPage = readPage;
  }

  /** Returns the new lines of the next page. `isLast`: whether there is no later page yet. */
  async readNext() {
    const query = { order: "asc", limit: pageSize, offset: this.#offset } as const;
    const { messages, nextOffset } = await this.#readPage(query);
    const lines = linesOf(messages.slice(this.#knownEntries));
    const hasNextPage = nextOffset !== undefined && nextOffset !== this.#offset;
    this.#knownEntries = hasNextPage ? 0 : messages.length;
    if (hasNextPage) this.#offset = nextOffset;
    return { lines, isLast: !hasNextPage || messages.length < pageSize };
  }
}
