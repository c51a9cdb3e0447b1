import { formatDuration } from "../text/duration.ts";

const width = 10;

/**
 * How far something is that usually takes so long, as a bar and in words, such as
 * `██████░░░░ BUILDING, usually done after 3 min 20 s: about 1 min 10 s to go`. Times are in milliseconds.
 */
export function formatProgressBar(status: string, elapsedMs: number, typicalMs: number): string {
  const done = Math.floor(Math.min(1, elapsedMs / typicalMs) * width);
  const bar = "█".repeat(done) + "░".repeat(width - done);
  const usual = formatDuration(typicalMs);
  return elapsedMs < typicalMs
    ? `${bar} ${status}, usually done after ${usual}: about ${formatDuration(typicalMs - elapsedMs)} to go`
    : `${bar} ${status}, longer than usual (${usual})`;
}
