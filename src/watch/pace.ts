/**
 * The pause before the next look at a revision, in milliseconds: a second at first, growing by a quarter of the time
 * that the revision has been seen in its current status, at most `longestMs`. Statuses that change often are seen
 * soon, and a long build costs few requests. A pause that the platform asked for stretches it.
 *
 * The quarter was measured (docs/benchmarks.md): with the tenth that was first planned, polling every 3 s saw the end
 * of a two-minute deploy sooner and with fewer requests; with a quarter no fixed or growing pause does so anywhere.
 */
export function pauseMs(longestMs: number, inStatusMs: number, askedForMs = 0): number {
  return Math.round(Math.max(Math.min(longestMs, 1000 + inStatusMs / 4), askedForMs));
}
