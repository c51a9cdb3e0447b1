const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** A size in bytes: `19_293_798` becomes `18.4 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  // 1023.95 KiB and more would be rounded to 1024.0 KiB.
  const exponent = Math.min(units.length - 1, Math.floor(Math.log2(bytes * (1024 / 1023.95)) / 10));
  return `${(bytes / 2 ** (10 * exponent)).toFixed(1)} ${units[exponent]}`;
}

/** A duration in milliseconds, rounded to whole seconds: `95_000` becomes `1 min 35 s`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `formatDuration`, in tenths of a second below one second: `375` becomes `0.4 s`. */
export function formatDelay(delayMs: number): string {
  const seconds = delayMs / 1000;
  // 0.95 s and more would be rounded to 1.0 s.
  return seconds < 0.95 ? `${seconds.toFixed(1)} s` : formatDuration(delayMs);
}

/** The latest time that a `Date` can hold: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const maxTimeMs = 8.64e15;

/** The minute of a time in milliseconds since the epoch: `2026-03-02 09:50 UTC`. Undefined if no `Date` can hold it. */
export function formatMinute(timeMs: number): string | undefined {
  if (!(Math.abs(timeMs) <= maxTimeMs)) return undefined;
  return `${new Date(timeMs).toISOString().slice(0, -8).replace("T", " ")} UTC`;
}

/** A count with thousands separated: `1234567` becomes `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** A duration in milliseconds as seconds with one decimal, as in `0.4`. */
export function formatSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}
