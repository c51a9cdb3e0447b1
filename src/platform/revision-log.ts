/** The build or deploy log of a revision. The shape of its entries is not published, so any shape is accepted. */
import * as v from "valibot";
import { parseTimestamp } from "../text/time.ts";

export type LogType = "build" | "deploy";

/** GET …/revisions/{revision_id}/logs */
export const RevisionLogSchema = v.looseObject({ logs: v.array(v.unknown()) });

const EntrySchema = v.looseObject({
  timestamp: v.fallback(v.nullish(v.union([v.string(), v.number()])), undefined),
  level: v.fallback(v.nullish(v.string()), undefined),
  message: v.string(),
});

export interface LogEntry {
  /** Milliseconds since the epoch; undefined if the platform does not show it. */
  readonly at: number | undefined;
  readonly level: string | undefined;
  /** May have several lines. */
  readonly message: string;
}

/** The entries of a page that was requested newest first, in the order of their times. */
export function entriesInOrder(page: v.InferOutput<typeof RevisionLogSchema>): LogEntry[] {
  const entries = page.logs.map(toLogEntry);
  const times = entries.flatMap(({ at }) => at ?? []);
  // A platform may ignore the requested order. Entries of the same time must not be reversed then.
  const isOldestFirst = (times.at(0) ?? 0) < (times.at(-1) ?? 0);
  const oldestFirst = isOldestFirst ? entries : entries.toReversed();
  if (times.length < entries.length) return oldestFirst;
  return oldestFirst.sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

function toLogEntry(item: unknown): LogEntry {
  const parsed = v.safeParse(EntrySchema, item);
  if (!parsed.success) return { at: undefined, level: undefined, message: toText(item) };
  const { timestamp, level, message } = parsed.output;
  const at = typeof timestamp === "number" ? timestamp : parseTimestamp(timestamp ?? undefined);
  return { at: Number.isNaN(new Date(at).getTime()) ? undefined : at, level: level || undefined, message };
}

function toText(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}
