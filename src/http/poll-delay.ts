/** How far a deployment is, if its typical duration is known; in milliseconds. */
export interface ExpectedDuration {
  readonly elapsedMs: number;
  readonly typicalMs: number;
}

const minDelayMs = 1000;

/**
 * The delay before the next poll of a revision, in milliseconds: one second at first, growing by a quarter of the time
 * that the revision has been in its current status, at most `maxDelayMs`. Statuses that change often are seen soon, and a
 * long build costs few requests.
 *
 * If the typical duration is known, the delay grows with all of the time in a status, shrinks to a second towards the
 * expected end, from a quarter of the typical duration before it on, and grows again after it.
 *
 * Both are measured in docs/benchmarks.md: no fixed or growing delay that was compared sees the end sooner with fewer
 * requests.
 */
export function pollDelayMs(maxDelayMs: number, inStatusMs: number, expected?: ExpectedDuration): number {
  const growth = expected ? Math.min(inStatusMs, distanceFromEndMs(maxDelayMs, expected)) : inStatusMs / 4;
  return Math.round(Math.min(maxDelayMs, minDelayMs + growth));
}

/** What the distance from the expected end adds to the shortest delay. */
function distanceFromEndMs(maxDelayMs: number, { elapsedMs, typicalMs }: ExpectedDuration): number {
  const quarters = (Math.abs(typicalMs - elapsedMs) / typicalMs) * 4;
  return Math.max(0, maxDelayMs - minDelayMs) * quarters;
}
