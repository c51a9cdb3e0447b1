const form = /^(\d{4}-\d\d-\d\d)(?:T(?!24)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** An instant, in milliseconds since the epoch. */
export interface DateTime {
  readonly at: number;
  /** Whether the text is a date alone, which stands for its midnight in UTC. */
  readonly isDate: boolean;
}

/**
 * An ISO 8601 date or date-time; without an offset it is in UTC (contract, 7). Undefined where the text is neither, or
 * names a day or a time that doesn't exist.
 */
export function parseDateTime(text: string): DateTime | undefined {
  const [, date, time, offset = "Z"] = form.exec(text) ?? [];
  if (date === undefined || !exists(date)) return undefined;
  if (time === undefined) return { at: Date.parse(date), isDate: true };
  const at = Date.parse(`${date}T${time}${inFull(offset)}`);
  return Number.isNaN(at) ? undefined : { at, isDate: false };
}

/** `Date.parse` takes 30 February for 2 March. */
function exists(date: string): boolean {
  const midnight = Date.parse(date);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/** `+02` and `+0200` as `+02:00`, the only form that `Date.parse` is bound to know (ECMA-262, Date Time String Format). */
function inFull(offset: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}
