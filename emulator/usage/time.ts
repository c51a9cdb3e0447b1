/** Times of usage: reading and writing them, and the buckets of a report. */
import * as v from "valibot";
import type { Stride } from "../../src/usage/schemas.ts";

// The action reads its inputs with another parser, so that a mistake in one does not hide in the other.
const FORM =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:(?<=:\d\d:\d\d)[.,](\d{1,9}))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * An ISO 8601 date or date-time in milliseconds since the epoch, UTC if it has no offset.
 * @returns undefined if the text is neither, or names a day or a time that does not exist
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time = "00:00", fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] =
    FORM.exec(text) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${time}Z`);
  // Date.parse takes 30 February for 2 March, and 24:00 for the next day.
  const exists = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(date);
  if (!exists || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return wall + Number(fraction.slice(0, 3).padEnd(3, "0")) - (sign === "-" ? -offset : offset);
}

/** A parameter that is parsed by `parseDateTime`. */
export const DateTimeSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const milliseconds = parseDateTime(dataset.value);
    if (milliseconds !== undefined) return milliseconds;
    addIssue({ message: "Input should be an ISO 8601 date or date-time" });
    return NEVER;
  }),
);

/** A time in whole seconds, UTC, as the usage API writes it. */
export function formatDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds since the epoch; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Days in a bucket by the maximum of requested days. */
const DAYS_PER_BUCKET = [
  [31, 1],
  [93, 7],
  [366, 30],
  [Number.POSITIVE_INFINITY, 365],
] as const;

/** The size of the buckets for a requested range. */
export function strideFor({ start, end }: Range): Stride {
  if (end - start < DAY) return { days: 0, hours: 1 };
  const requested = Math.ceil((end - start) / DAY);
  const [, days] = DAYS_PER_BUCKET.find(([max]) => requested <= max) ?? [0, 365];
  return { days, hours: 0 };
}

/** The buckets of a requested range, rounded outwards to whole days (UTC) or hours; the last bucket may be shorter. */
export function* bucketsOf(requested: Range): Generator<Range> {
  const { days, hours } = strideFor(requested);
  const unit = hours > 0 ? HOUR : DAY;
  const first = Math.floor(requested.start / unit) * unit;
  const last = Math.ceil(requested.end / unit) * unit;
  const length = days * DAY + hours * HOUR;
  for (let start = first; start < last; start += length) yield { start, end: Math.min(start + length, last) };
}
