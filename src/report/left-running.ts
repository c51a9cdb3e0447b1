import { kindOfStatus } from "../platform/status.ts";
import type { Facts } from "../progress/facts.ts";
import { sanitizeSentence } from "../text/sanitize.ts";

/** What a cancelled run leaves behind on the platform, as a sentence. */
export function leftRunning(facts: Facts): string {
  const deleted = describeDeleted(facts.deleted);
  if (facts.unsettled !== undefined) return [deleted, `${facts.unsettled}${ownEnd(facts)}`].join(" ").trim();
  // Of this run's own revision nothing is left, where it deleted what it had made.
  if (deleted !== "") return deleted;
  if (facts.writtenAt === undefined) return "Nothing had been sent to the platform that changes anything.";
  const deployment = facts.deploymentId ?? facts.title;
  if (facts.revisionId === undefined) {
    return `A revision of deployment ${deployment} may have been started; it goes on on the platform.`;
  }
  const revision = `Revision ${facts.revisionId} of deployment ${deployment}`;
  if (!hasEnded(facts)) return `${revision} goes on on the platform.`;
  const health = facts.healthIsOpen ? " Whether it is well (health_check_path) wasn't known yet." : "";
  return `${revision} is ${facts.statuses.at(-1)?.status}.${health}`;
}

/** The rest stands in the summary. */
const maxNamed = 5;

function describeDeleted(titles: readonly string[]): string {
  if (titles.length === 0) return "";
  if (titles.length === 1) return `Deployment ${titles[0]} was deleted.`;
  const left = titles.length - maxNamed;
  const named = left > 0 ? [...titles.slice(0, maxNamed), `${left} more`] : titles;
  return `Deployments ${named.slice(0, -1).join(", ")} and ${named.at(-1)} were deleted.`;
}

/** How this run's own revision ended, where something else is left running after it, such as a rollback. */
function ownEnd(facts: Facts): string {
  if (facts.revisionId === undefined || !hasEnded(facts)) return "";
  const why = facts.statusMessage === undefined ? "" : `: ${sanitizeSentence(facts.statusMessage, 300)}`;
  return ` This run's own revision ${facts.revisionId} ended as ${facts.statuses.at(-1)?.status}${why || "."}`;
}

/** Whether this run's revision was seen in a status that is no longer pending. */
export function hasEnded({ statuses }: Facts): boolean {
  const status = statuses.at(-1)?.status;
  return status !== undefined && kindOfStatus(status) !== "pending";
}
