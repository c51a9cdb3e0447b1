/** The build or deploy log of a revision. The shape of its entries is not published, so any shape is accepted. */
import * as v from "valibot";
import { parseTimestamp } from "../text/time.ts";

export type LogType = "build" | "deploy";

export interface RevisionLog {
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly type: LogType;
}

export interface LogQuery {
  /** The newest entries first (`desc`) or the oldest. */
  readonly order: "asc" | "desc";
  /** At most 1000. */
  readonly limit: number;
  /** The `nextOffset` of an earlier page; undefined for the first page. */
  readonly offset?: string | undefined;
}

export interface LogPage {
  /** The oldest first. */
  readonly entries: readonly LogEntry[];
  /** Where the next page begins; undefined if the platform does not say so. */
  readonly nextOffset: string | undefined;
}

export interface LogEntry {
  readonly id: string | undefined;
  /** Milliseconds since the epoch; undefined if the platform does not show it. */
  readonly at: number | undefined;
  readonly level: string | undefined;
  /** May have several lines. */
  readonly message: string;
}

const shownText = v.fallback(v.nullish(v.union([v.string(), v.number()])), undefined);

/** The response of both endpoints; a list of entries alone will do. */
export const LogPageSchema = v.union([
  v.looseObject({ logs: v.array(v.unknown()), next_offset: shownText }),
  v.pipe(
    v.array(v.unknown()),
    v.transform((logs) => ({ logs, next_offset: undefined })),
  ),
]);

const EntrySchema = v.looseObject({
  id: shownText,
  timestamp: shownText,
  level: v.fallback(v.nullish(v.string()), undefined),
  message: v.nullish(v.string()),
});

/** The page in a response to a request in this order. */
export function toLogPage(
  { logs, next_offset: nextOffset }: v.InferOutput<typeof LogPageSchema>,
  order: LogQuery["order"],
): LogPage {
  return { entries: oldestFirst(logs.map(toLogEntry), order), nextOffset: toText(nextOffset) };
}

function oldestFirst(entries: readonly LogEntry[], order: LogQuery["order"]): LogEntry[] {
  const times = entries.flatMap(({ at }) => at ?? []);
  // A platform may ignore the requested order. Entries of the same time must keep theirs then.
  const growth = (times.at(-1) ?? 0) - (times.at(0) ?? 0);
  const isAscending = growth > 0 || (growth === 0 && order === "asc");
  const ascending = isAscending ? [...entries] : entries.toReversed();
  if (times.length < entries.length) return ascending;
  return ascending.sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

/** An entry without a message gets an empty one: a line for it could stand between the parts of a secret. */
function toLogEntry(item: unknown): LogEntry {
  const parsed = v.safeParse(EntrySchema, item ?? { message: null });
  if (!parsed.success) return { id: undefined, at: undefined, level: undefined, message: describe(item) };
  const { id, timestamp, level, message, ...others } = parsed.output;
  const isOfOtherShape = message === undefined && Object.keys(others).length > 0;
  const at = typeof timestamp === "number" ? timestamp : parseTimestamp(timestamp ?? undefined);
  return {
    id: toText(id),
    at: Number.isNaN(new Date(at).getTime()) ? undefined : at,
    level: level || undefined,
    message: isOfOtherShape ? describe(item) : (message ?? ""),
  };
}

function toText(value: string | number | null | undefined): string | undefined {
  return String(value ?? "") || undefined;
}

function describe(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}
