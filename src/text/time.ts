export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A date and a time of day without a time zone. */
const zoneless = /\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * A timestamp of a server in milliseconds since the epoch; NaN if it is missing or can't be parsed. Without a time zone
 * it is UTC: `Date.parse` would take it for local time.
 */
export function parseTimestamp(text = ""): number {
  return Date.parse(zoneless.test(text) ? `${text}Z` : text);
}

/** A date or date-time that a user wrote. */
export interface DateTime {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether it is a date alone, which stands for its midnight in UTC. */
  readonly isDate: boolean;
}

const isoDateTime = /^(\d{4}-\d\d-\d\d)(?:T(?!24)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** An ISO 8601 date or date-time, UTC if it has no offset. Undefined for anything else and for days that don't exist. */
export function parseDateTime(text: string): DateTime | undefined {
  const [, date, time, offset = "Z"] = isoDateTime.exec(text) ?? [];
  if (date === undefined || !isRealDate(date)) return undefined;
  if (time === undefined) return { at: Date.parse(date), isDate: true };
  const at = Date.parse(`${date}T${time}${fullOffset(offset)}`);
  return Number.isNaN(at) ? undefined : { at, isDate: false };
}

/** `Date.parse` takes 30 February for 2 March. */
function isRealDate(date: string): boolean {
  const midnight = Date.parse(date);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/**
 * `+02` and `+0200` as `+02:00`, the only form that `Date.parse` has to support:
 * https://tc39.es/ecma262/#sec-date-time-string-format
 */
function fullOffset(offset: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}
