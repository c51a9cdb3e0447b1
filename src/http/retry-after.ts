/**
 * The pause that a `Retry-After` header asks for, in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3).
 * Anything else, a negative number or a date that has passed counts as not given.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const untilMs = /[a-z]/i.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  return untilMs > 0 ? untilMs : undefined;
}
