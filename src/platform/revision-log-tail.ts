import { ActionError } from "../errors.ts";
import { ResponseError } from "../http/response-error.ts";
import type { LogEntry, LogPage, LogQuery } from "./revision-log.ts";

/** A log that is longer than this, or never ends, is not read to its end. */
const maxPages = 10;
const maxPage = 1000;

export type ReadLogPage = (query: Omit<LogQuery, "type">) => Promise<LogPage>;

/**
 * The last entries of a log, at most `most`, the oldest of them first. They are asked for newest first; where the
 * platform refuses that or answers oldest first all the same, the log is read to its end, and nothing is answered if
 * that is too far. Throws what `read` throws, as long as nothing of the end is known.
 */
export async function readLogTail(read: ReadLogPage, most: number): Promise<LogEntry[]> {
  return (await readBackwards(read, most)) ?? (await readForwards(read, most));
}

/** Undefined where the platform can't answer newest first. */
async function readBackwards(read: ReadLogPage, most: number): Promise<LogEntry[] | undefined> {
  let newestFirst: LogEntry[] = [];
  try {
    for await (const { entries } of pages(read, { order: "desc", limit: most })) {
      newestFirst = newestFirst.concat(entries);
      if (isOldestFirst(newestFirst)) return undefined;
      if (newestFirst.length >= most) break;
    }
  } catch (error) {
    if (newestFirst.length === 0 && isRefusal(error)) return undefined;
    if (newestFirst.length === 0 || !(error instanceof ActionError)) throw error;
  }
  return newestFirst.slice(0, most).toReversed();
}

async function readForwards(read: ReadLogPage, most: number): Promise<LogEntry[]> {
  let tail: LogEntry[] = [];
  let ended = false;
  for await (const { entries, isLast } of pages(read, { order: undefined, limit: maxPage })) {
    tail = [...tail, ...entries].slice(-most);
    ended = isLast;
  }
  return ended ? tail : [];
}

/** Pages until the last one: without a cursor, with one that was there before, or with nothing to go on after. */
async function* pages(
  read: ReadLogPage,
  query: Pick<LogQuery, "order" | "limit">,
): AsyncGenerator<{ entries: readonly LogEntry[]; isLast: boolean }> {
  const cursors = new Set<string>();
  let offset: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { entries, next } = await read({ ...query, offset });
    const isLast = next === undefined || cursors.has(next) || entries.length === 0;
    yield { entries, isLast };
    if (next === undefined || isLast) return;
    cursors.add(next);
    offset = next;
  }
}

function isOldestFirst(entries: readonly LogEntry[]): boolean {
  const times = entries.flatMap(({ at }) => at ?? []);
  return (times.at(0) ?? 0) < (times.at(-1) ?? 0);
}

/** The parameters of this endpoint are known by name, but not the values of `order`. */
function isRefusal(error: unknown): boolean {
  return error instanceof ResponseError && (error.status === 400 || error.status === 422);
}
