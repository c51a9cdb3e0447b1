/** The latest moment that a `Date` can hold, in milliseconds since the epoch (ECMA-262, Time Values). */
const latestMs = 8.64e15;

/**
 * A moment in milliseconds since the epoch as `2026-03-02 09:50 UTC`, the first full minute that isn't before it.
 * Undefined for one beyond all dates, as a server may name it.
 */
export function formatMinute(at: number): string | undefined {
  const minute = Math.ceil(at / 60_000) * 60_000;
  if (!(Math.abs(minute) <= latestMs)) return undefined;
  return `${new Date(minute).toISOString().slice(0, -8).replace("T", " ")} UTC`;
}
