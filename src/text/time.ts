import type { EpochMs } from "../clock.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A date and a time of day without a time zone. */
const zoneless = /\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * Returns a timestamp of a server in milliseconds since the epoch; NaN if it is missing or can't be parsed. A timestamp without
 * a time zone is in UTC, but `Date.parse` would take it for local time.
 */
export function parseTimestamp(written = ""): number {
  return Date.parse(zoneless.test(written) ? `${written}Z` : written);
}

const isoDateTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Returns the time of an ISO 8601 date-time, or the start of a date, in UTC if it has no offset; NaN for anything else. */
export function parseDateTime(written: string): EpochMs {
  const date = written.slice(0, 10);
  // `Date` reads 30 February as 2 March.
  const isReal = new Date(date).getUTCDate() === Number(date.slice(-2));
  return isReal && isoDateTime.test(written) ? parseTimestamp(written) : Number.NaN;
}
