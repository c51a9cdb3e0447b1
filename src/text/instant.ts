/** A date and a time of day without a zone. */
const zoneless = /\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * A time that a server gave, in milliseconds since the epoch; NaN where it gave none, or none that can be read. One
 * without a zone is UTC's, as servers mean it, which `Date.parse` would take for the runner's own.
 */
export function instantMs(text = ""): number {
  return Date.parse(zoneless.test(text) ? `${text}Z` : text);
}
