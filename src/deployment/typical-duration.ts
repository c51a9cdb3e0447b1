import type { Revision } from "../platform/deployment.ts";
import { kindOfStatus } from "../platform/status.ts";
import { parseTimestamp } from "../text/instant.ts";

/** As many of the newest as are looked at: what a deployment was like long ago says little. */
export const maxRevisions = 10;

/** What seems to have taken longer was touched for another reason; in milliseconds. */
const maxMs = 3 * 60 * 60 * 1000;

/**
 * How long the revisions of a deployment usually took from their creation until they were `DEPLOYED`, in milliseconds;
 * undefined where none tells. `listed`: newest first, as the platform lists them.
 *
 * The end is not shown; `updated_at` stands in for it (platform-field-notes, Fields). That may be later than the end,
 * where the platform touches a revision once more, such as when the next one takes its place, but never earlier. So a
 * revision that was updated after the next one was made, or hours after its creation, is left out, and of the others
 * the one in the middle counts, of two the shorter one: a few that were held up in the queue change nothing.
 */
export function typicalDurationMs(listed: readonly Revision[]): number | undefined {
  const durations = listed
    .map((revision, index) => durationMs(revision, listed[index - 1]))
    .filter((duration) => duration !== undefined);
  return middleOf(durations.slice(0, maxRevisions));
}

/** The number in the middle, of two the smaller one; undefined of none. */
export function middleOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

/** Undefined where it isn't shown or can't be right. */
function durationMs(revision: Revision, next: Revision | undefined): number | undefined {
  if (kindOfStatus(revision.status) !== "deployed") return undefined;
  const updated = parseTimestamp(revision.updatedAt);
  const duration = updated - parseTimestamp(revision.createdAt);
  const credible = duration > 0 && duration <= maxMs && !(updated > parseTimestamp(next?.createdAt));
  return credible ? duration : undefined;
}
