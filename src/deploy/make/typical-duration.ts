import type { Revision } from "../../platform/revision.ts";
import { parseTimestamp } from "../../text/time.ts";

/** Older revisions say little about the deployment of today. */
const maxRevisions = 10;

/** After a longer time, the revision was probably changed for another reason. */
const maxDurationMs = 3 * 60 * 60 * 1000;

/**
 * Returns the median time of a deployment's revisions from creation to `DEPLOYED`; undefined if none shows it.
 * It helps readers to tell a slow build from a stuck one. `listed`: newest first.
 *
 * The platform does not show when a revision became `DEPLOYED`, so `updated_at` stands in for it. That is too late if the
 * platform changed the revision again, for example when the next one replaced it. So a revision does not count if it was
 * updated after the next one was created, or hours after its own creation. The median ignores a few that waited or were not
 * built.
 */
export function typicalDurationMs(listed: readonly Revision[]): number | undefined {
  const durations = listed
    .map((revision, index) => durationMs(revision, listed[index - 1]))
    .filter((tookMs) => tookMs !== undefined)
    .slice(0, maxRevisions)
    .toSorted((a, b) => a - b);
  return durations[Math.ceil(durations.length / 2) - 1];
}

function durationMs(revision: Revision, next: Revision | undefined): number | undefined {
  if (revision.status.kind !== "deployed") return undefined;
  const updated = parseTimestamp(revision.updatedAt);
  const tookMs = updated - parseTimestamp(revision.createdAt);
  const isPlausible = tookMs > 0 && tookMs <= maxDurationMs && !(updated > parseTimestamp(next?.createdAt));
  return isPlausible ? tookMs : undefined;
}
