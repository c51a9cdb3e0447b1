import type { Clock } from "../clock.ts";

/** What a page is asked to hold at most. A platform may send less at once. */
export const pageSize = 100;

interface PagedList<T> {
  readonly pageAt: (offset: number) => URL;
  readonly read: (url: URL) => Promise<readonly T[]>;
  /** When the list must have ended, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The error if it has not. */
  readonly endless: (url: URL) => Error;
}

/** Pages of a list, and at its end whether it is complete. */
export type Pages<T> = AsyncGenerator<T[], boolean>;

/**
 * What is new in each page of a list, until one has nothing new: a short page may be the last one or all that the platform
 * sends at once. The offset is counted here, because platforms disagree on which page their `offset` means. Returns whether
 * the list is complete: a full page that only repeats others shows that the platform ignores `offset`.
 */
export async function* pagesOf<T extends { readonly id: string }>(
  { pageAt, read, deadline, endless }: PagedList<T>,
  clock: Clock,
): Pages<T> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const url = pageAt(offset);
    const page = await read(url);
    const unseen = page.filter(({ id }) => !seen.has(id.toLowerCase()));
    if (unseen.length === 0) return page.length < pageSize;
    for (const { id } of unseen) seen.add(id.toLowerCase());
    yield unseen;
    offset += page.length;
    if (clock.now() >= deadline) throw endless(url);
  }
}

/** Reads pages until the list ends, or is enough and as long as a page may be. */
export async function readUntil<T>(
  pages: Pages<T>,
  isEnough: (listed: readonly T[]) => boolean,
): Promise<{ readonly listed: readonly T[]; readonly isComplete: boolean }> {
  const listed: T[] = [];
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { listed, isComplete: page.value };
    listed.push(...page.value);
    if (listed.length >= pageSize && isEnough(listed)) return { listed, isComplete: false };
  }
}
