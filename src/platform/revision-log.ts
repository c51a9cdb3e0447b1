/**
 * A revision's build or deploy log (platform-field-notes, "Endpoints beyond platform-api"). The shape of its items
 * isn't published, so every shape is taken.
 */
import * as v from "valibot";

export type LogType = "build" | "deploy";

export interface LogQuery {
  readonly type: LogType;
  /** Newest first; undefined leaves the order to the platform. */
  readonly order: "desc" | undefined;
  /** 1 to 1000. */
  readonly limit: number;
  /** The cursor that the page before answered with. */
  readonly offset: string | undefined;
}

/** GET …/revisions/{revision_id}/logs. A cursor that is no string ends the log. */
export const LogPageSchema = v.looseObject({
  logs: v.array(v.unknown()),
  next_offset: v.fallback(v.nullish(v.string()), undefined),
});

const EntrySchema = v.looseObject({
  timestamp: v.fallback(v.nullish(v.union([v.string(), v.number()])), undefined),
  level: v.fallback(v.nullish(v.string()), undefined),
  message: v.string(),
});

/** What was logged at once; `message` may have several lines. */
export interface LogEntry {
  /** Milliseconds since the epoch, undefined where it isn't shown. */
  readonly at: number | undefined;
  readonly level: string | undefined;
  readonly message: string;
}

/** A page of a log, in the order in which it was asked for. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

/** A page as an answer shows it. Takes items of every shape: what isn't understood is kept as text. */
export function toLogPage(wire: v.InferOutput<typeof LogPageSchema>): LogPage {
  return { entries: wire.logs.map(toLogEntry), next: wire.next_offset || undefined };
}

function toLogEntry(item: unknown): LogEntry {
  const parsed = v.safeParse(EntrySchema, item);
  if (!parsed.success) return { at: undefined, level: undefined, message: asText(item) };
  const { timestamp, level, message } = parsed.output;
  return { at: toTime(timestamp), level: level || undefined, message };
}

/** The platform's own client takes a number for milliseconds since the epoch, and a string as it stands. */
function toTime(timestamp: string | number | null | undefined): number | undefined {
  const time = new Date(timestamp ?? Number.NaN).getTime();
  return Number.isNaN(time) ? undefined : time;
}

function asText(item: unknown): string {
  if (typeof item === "string") return item;
  try {
    return JSON.stringify(item);
  } catch {
    // A parser takes any depth, but what writes it out again runs out of stack.
    return "(an entry that can't be shown)";
  }
}
