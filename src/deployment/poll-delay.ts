/** How far a deployment is, where it is known how long one usually takes; both in milliseconds. */
export interface Course {
  readonly elapsedMs: number;
  readonly typicalMs: number;
}

const minMs = 1000;

/**
 * The pause before the next look at a revision, in milliseconds: a second at first, growing by a quarter of the time
 * that the revision has been seen in its current status, at most `maxMs`. Statuses that change often are seen
 * soon, and a long build costs few requests. A pause that the platform asked for stretches it.
 *
 * Where the usual time is known, the pause grows with all of the time in a status, and shrinks to a second towards the
 * expected end from a quarter of the usual time before it on; after it, it grows again in the same way.
 *
 * Both were measured (docs/benchmarks.md): with the tenth that was first planned, polling every 3 s saw the end of a
 * two-minute deploy sooner and with fewer requests; with a quarter no fixed or growing pause does so anywhere.
 */
export function pauseMs(maxMs: number, inStatusMs: number, askedForMs = 0, course?: Course): number {
  const growth = course ? Math.min(inStatusMs, awayFromEndMs(maxMs, course)) : inStatusMs / 4;
  return Math.round(Math.max(Math.min(maxMs, minMs + growth), askedForMs));
}

/** What the distance from the expected end adds to the shortest pause. */
function awayFromEndMs(maxMs: number, { elapsedMs, typicalMs }: Course): number {
  const quarters = (Math.abs(typicalMs - elapsedMs) / typicalMs) * 4;
  return Math.max(0, maxMs - minMs) * quarters;
}
