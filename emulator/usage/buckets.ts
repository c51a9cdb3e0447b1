/** Time buckets: pure (contract, 9; platform-api, "Stride by requested range"). */
import type { Stride } from "../../src/usage/schemas.ts";

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds since the epoch; the end is not part of it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Up to so many days requested → so many days in a bucket. */
const DAYS_PER_BUCKET = [
  [31, 1],
  [93, 7],
  [366, 30],
  [Number.POSITIVE_INFINITY, 365],
] as const;

/** The bucket size that the requested length picks. */
export function strideFor({ start, end }: Range): Stride {
  if (end - start < DAY) return { days: 0, hours: 1 };
  const requested = Math.ceil((end - start) / DAY);
  const [, days] = DAYS_PER_BUCKET.find(([upTo]) => requested <= upTo) ?? [0, 365];
  return { days, hours: 0 };
}

/** The buckets of the requested range, rounded outwards to whole UTC days or, hourly, whole hours; the last is cut. */
export function* bucketsOf(requested: Range): Generator<Range> {
  const { days, hours } = strideFor(requested);
  const unit = hours > 0 ? HOUR : DAY;
  const first = Math.floor(requested.start / unit) * unit;
  const last = Math.ceil(requested.end / unit) * unit;
  const length = days * DAY + hours * HOUR;
  for (let start = first; start < last; start += length) yield { start, end: Math.min(start + length, last) };
}
