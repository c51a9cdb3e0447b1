import type { Facts } from "../report/progress.ts";
import { inertSentence } from "../text/inert.ts";
import { kindOfStatus } from "../watch/statuses.ts";

/** What a cancelled run leaves behind on the platform, as a sentence. */
export function leftRunning(facts: Readonly<Facts>): string {
  if (facts.unsettled !== undefined) return `${facts.unsettled}${ownEnd(facts)}`;
  if (facts.writtenAt === undefined) return "Nothing had been sent to the platform that changes anything.";
  const deployment = facts.deploymentId ?? facts.title;
  if (facts.revisionId === undefined) {
    return `A revision of deployment ${deployment} may have been started; it goes on on the platform.`;
  }
  const revision = `Revision ${facts.revisionId} of deployment ${deployment}`;
  const status = facts.statuses.at(-1)?.status;
  return hasEnded(facts) ? `${revision} is ${status}.` : `${revision} goes on on the platform.`;
}

/** How this run's own revision ended, where something else is left running after it, such as a rollback. */
function ownEnd(facts: Readonly<Facts>): string {
  if (facts.revisionId === undefined || !hasEnded(facts)) return "";
  const why = facts.statusMessage === undefined ? "" : `: ${inertSentence(facts.statusMessage, 300)}`;
  return ` This run's own revision ${facts.revisionId} ended as ${facts.statuses.at(-1)?.status}${why || "."}`;
}

/** Whether this run's revision was seen in a status that is no longer pending. */
export function hasEnded({ statuses }: Readonly<Facts>): boolean {
  const status = statuses.at(-1)?.status;
  return status !== undefined && kindOfStatus(status) !== "pending";
}
