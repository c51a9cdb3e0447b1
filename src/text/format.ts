import type { EpochMs } from "../clock.ts";

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  // From here on, the rounded number would be 1024.0.
  return kib < 1023.95 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

/** Returns a duration, rounded to whole seconds: `95_000` becomes `1 min 35 s`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Returns the minute of a time: `2026-03-02 09:50 UTC`. */
export function formatMinute(time: EpochMs): string {
  return `${new Date(time).toISOString().slice(0, -8).replace("T", " ")} UTC`;
}

/** Returns a count with thousands separated: `1234567` becomes `1,234,567`. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** Returns a duration as seconds with one decimal, as in `0.4`. */
export function formatSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}
