import type { Clock } from "../clock.ts";
import { type Message, text } from "../text/message.ts";

/** What a page is asked to hold at most. A platform may send less at once. */
export const pageSize = 100;

export interface PagedList<T> {
  readonly clock: Clock;
  readonly pageAt: (offset: number) => URL;
  readonly read: (url: URL) => Promise<readonly T[]>;
  /** When the list must have ended, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The error for a page that is of no use. `what`: what is wrong with it, as a part of a sentence. */
  readonly unexpected: (url: URL, what: Message) => Error;
}

/** Pages of a list, and at its end whether it is complete. */
export type Pages<T> = AsyncGenerator<T[], boolean>;

/**
 * What is new in each page of a list, until one has nothing new: a short page may be the last one or all that the platform
 * sends at once. The offset is counted here, because platforms disagree on which page their `offset` means. Returns whether
 * the list is complete: a full page that only repeats others shows that the platform ignores `offset`.
 */
export async function* pagesOf<T extends { readonly id: string }>({
  pageAt,
  read,
  clock,
  deadline,
  unexpected,
}: PagedList<T>): Pages<T> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const url = pageAt(offset);
    const page = await read(url);
    const unseen = page.filter(({ id }) => !seen.has(id.toLowerCase()));
    if (unseen.length === 0) return page.length < pageSize;
    for (const { id } of unseen) seen.add(id.toLowerCase());
    yield unseen;
    offset += page.length;
    if (clock.now() >= deadline) throw unexpected(url, text`the list did not end in time`);
  }
}

/** Like `pagesOf`. @throws the error of `unexpected` at the end of a list that is not complete */
export async function* allPagesOf<T extends { readonly id: string }>(
  list: PagedList<T>,
): AsyncGenerator<T[], undefined> {
  if (yield* pagesOf(list)) return undefined;
  const what = text`the list only repeats its first ${pageSize}, so the rest is unknown`;
  throw list.unexpected(list.pageAt(pageSize), what);
}

/** The start of a list, or all of it. */
export interface ListStart<T> {
  readonly listed: readonly T[];
  /** Whether the list ended there. */
  readonly isComplete: boolean;
}

/** Reads pages until the list ends, or until what was read is enough, but at least as much as one page may hold. */
export async function readUntil<T>(
  pages: Pages<T>,
  isEnough: (listed: readonly T[]) => boolean,
): Promise<ListStart<T>> {
  const listed: T[] = [];
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { listed, isComplete: page.value };
    listed.push(...page.value);
    if (listed.length >= pageSize && isEnough(listed)) return { listed, isComplete: false };
  }
}
