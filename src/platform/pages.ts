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

/**
 * What is new in each page of a list, until one has nothing new: a short page may be the last one or all that the platform
 * sends at once. The offset is counted here, because platforms disagree on which page their `offset` means.
 */
export async function* pagesOf<T extends { readonly id: string }>(
  { pageAt, read, deadline, endless }: PagedList<T>,
  clock: Clock,
): AsyncGenerator<T[], undefined> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const url = pageAt(offset);
    const page = await read(url);
    const unseen = page.filter(({ id }) => !seen.has(id.toLowerCase()));
    if (unseen.length === 0) return undefined;
    for (const { id } of unseen) seen.add(id.toLowerCase());
    yield unseen;
    offset += page.length;
    if (clock.now() >= deadline) throw endless(url);
  }
}

/** Reads pages until the list ends, or is enough and as long as a page may be. */
export async function readUntil<T>(
  pages: AsyncIterable<readonly T[]>,
  isEnough: (listed: readonly T[]) => boolean,
): Promise<{ readonly listed: readonly T[]; readonly isComplete: boolean }> {
  const listed: T[] = [];
  for await (const page of pages) {
    listed.push(...page);
    if (listed.length >= pageSize && isEnough(listed)) return { listed, isComplete: false };
  }
  return { listed, isComplete: true };
}
