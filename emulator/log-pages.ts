/** Pages of logs, by cursor. */
import * as v from "valibot";
import type { LogContent } from "./control-plane/revision-log.ts";
import { limitUpTo } from "./pages.ts";
import { DateTimeSchema } from "./usage/time.ts";

const CursorSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [, place] = /^after (-1|\d+)$/.exec(Buffer.from(dataset.value, "base64url").toString()) ?? [];
    if (place !== undefined) return Number(place);
    addIssue({ message: "Input should be a next_offset" });
    return NEVER;
  }),
);

// Not a plain number: a client that counts entries instead of sending the cursor back has to fail.
function cursorAfter(place: number): string {
  return Buffer.from(`after ${place}`).toString("base64url");
}

const entries = {
  order: v.nullish(v.picklist(["asc", "desc"]), "asc"),
  /** The `next_offset` of the previous page. */
  offset: v.nullish(CursorSchema),
  level: v.nullish(v.string()),
  /** A text that the message contains, in any case. */
  query: v.nullish(v.string()),
  /** Both are inclusive. */
  start_time: v.nullish(DateTimeSchema),
  end_time: v.nullish(DateTimeSchema),
};

/** The query of `GET …/logs`. */
export const LogQuerySchema = v.strictObject({
  type: v.picklist(["build", "deploy"]),
  limit: v.optional(limitUpTo(1000), "50"),
  ...entries,
});

/** The body of `POST …/build_logs` and `…/deploy_logs`. */
export const LogBodySchema = v.strictObject({
  limit: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 50),
  ...entries,
});

type LogQuery = v.InferOutput<typeof LogBodySchema>;

/** One page of a log. */
export function logPageOf({ entries, isComplete }: LogContent, query: LogQuery) {
  const { order, limit, offset: start } = query;
  const isDescending = order === "desc";
  const isAhead = (place: number) => start == null || (isDescending ? place < start : place > start);
  const wanted = entries.filter(({ place, entry }) => isAhead(place) && matches(entry, query));
  const page = (isDescending ? wanted.toReversed() : wanted).slice(0, limit);
  const mayGrow = !isDescending && !isComplete;
  return {
    logs: page.map(({ entry }) => entry),
    next_offset:
      page.length < wanted.length || mayGrow ? cursorAfter(page.at(-1)?.place ?? start ?? -1) : null,
  };
}

/** A fault rule may give an entry any shape. */
const EntrySchema = v.fallback(
  v.object({
    timestamp: v.fallback(v.number(), Number.NaN),
    level: v.fallback(v.string(), ""),
    message: v.fallback(v.string(), ""),
  }),
  { timestamp: Number.NaN, level: "", message: "" },
);

function matches(entry: unknown, { level, query, start_time, end_time }: LogQuery): boolean {
  const shown = v.parse(EntrySchema, entry);
  return (
    (level == null || shown.level.toLowerCase() === level.toLowerCase()) &&
    (query == null || shown.message.toLowerCase().includes(query.toLowerCase())) &&
    (start_time == null || shown.timestamp >= start_time) &&
    (end_time == null || shown.timestamp <= end_time)
  );
}
