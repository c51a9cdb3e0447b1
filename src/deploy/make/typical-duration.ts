import type { Revision } from "../../platform/deployment.ts";
import { parseTimestamp } from "../../text/time.ts";

/** Older revisions say little about what the deployment is like today. */
const maxRevisions = 10;

/** A longer time says that the revision was changed later for another reason; in milliseconds. */
const maxMs = 3 * 60 * 60 * 1000;

/**
 * Returns how long the revisions of a deployment typically take, from their creation to `DEPLOYED`, in milliseconds; undefined
 * if none shows it. Log and summary show it, so that a reader can tell a slow build from a stuck one. `listed`: newest first.
 *
 * The platform shows no end, so `updated_at` stands in for it. It is never earlier than the end, but later if the platform
 * changes the revision again, for example when the next one replaces it. So a revision that was updated after the next one was
 * created, or hours after its own creation, does not count. The result is the median (the lower of two middle ones), so that a
 * few that waited in the queue, or were not built, do not change it.
 */
export function typicalDurationMs(listed: readonly Revision[]): number | undefined {
  const durations = listed
    .map((revision, index) => durationMs(revision, listed[index - 1]))
    .filter((duration) => duration !== undefined)
    .slice(0, maxRevisions)
    .toSorted((one, other) => one - other);
  return durations[Math.ceil(durations.length / 2) - 1];
}

function durationMs(revision: Revision, next: Revision | undefined): number | undefined {
  if (revision.status.kind !== "deployed") return undefined;
  const updated = parseTimestamp(revision.updatedAt);
  const duration = updated - parseTimestamp(revision.createdAt);
  const isPlausible = duration > 0 && duration <= maxMs && !(updated > parseTimestamp(next?.createdAt));
  return isPlausible ? duration : undefined;
}
