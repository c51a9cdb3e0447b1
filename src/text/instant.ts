/** A date and a time of day without a zone. */
const zoneless = /\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** So far two clocks may be apart, in milliseconds: a runner of one's own may be minutes off. */
const clockDifferenceMs = 600_000;

/** Whether what was made at this time of a server's was surely there before this moment of the runner's, in milliseconds. */
export function wasBefore(text: string | undefined, momentMs: number): boolean {
  return parseTimestamp(text) < momentMs - clockDifferenceMs;
}

/**
 * A time that a server gave, in milliseconds since the epoch; NaN where it gave none, or none that can be read. One
 * without a zone is UTC's, as servers mean it, which `Date.parse` would take for the runner's own.
 */
export function parseTimestamp(text = ""): number {
  return Date.parse(zoneless.test(text) ? `${text}Z` : text);
}
