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

export interface DateTime {
  readonly at: EpochMs;
  /** Whether it is a date alone, which stands for its midnight in UTC. */
  readonly isDate: boolean;
}

const isoDateTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Returns an ISO 8601 date or date-time, UTC if it has no offset; undefined for anything else. */
export function parseDateTime(written: string): DateTime | undefined {
  const date = written.slice(0, 10);
  const at = isoDateTime.test(written) ? parseTimestamp(written) : Number.NaN;
  // `Date` reads 30 February as 2 March.
  const isReal = new Date(date).getUTCDate() === Number(date.slice(-2));
  return isReal && !Number.isNaN(at) ? { at, isDate: written === date } : undefined;
}
