/**
 * The pause before the next look at a revision, in milliseconds: a second at first, growing by a tenth of the time
 * that the revision has been seen in its current status, at most `longestMs` (issue of the root action, Polling).
 * Statuses that change often are seen soon, and a long build costs few requests. A pause that the platform asked
 * for stretches it.
 */
export function pauseMs(longestMs: number, inStatusMs: number, askedForMs = 0): number {
  return Math.round(Math.max(Math.min(longestMs, 1000 + inStatusMs / 10), askedForMs));
}
