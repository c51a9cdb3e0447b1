import { sanitizeSentence } from "../text/sanitize.ts";
import { lastStatus, type RunState } from "./run-state.ts";

/** What a cancelled or killed run leaves behind on the platform, as sentences. */
export function describeLeftover(state: RunState): string {
  const deleted = describeDeleted(state.deleted);
  if (state.leftover !== undefined) return [deleted, state.leftover, ownEnd(state)].filter(Boolean).join(" ");
  // What this run made itself is gone then.
  if (deleted !== "") return deleted;
  if (state.writtenAt === undefined) return "No changes were sent.";
  return describeRevision(state);
}

function describeRevision(state: RunState): string {
  const deployment = state.deploymentId ?? state.title;
  if (state.revisionId === undefined) {
    const skipped = state.interruptSkipped
      ? " It was not interrupted (on_cancel: interrupt), because its id was not known yet."
      : "";
    return `A revision of deployment ${deployment} may have been started and may still be running on the platform.${skipped}`;
  }
  const revision = `Revision ${state.revisionId} of deployment ${deployment}`;
  if (!hasEnded(state)) return `${revision} is still running on the platform.`;
  const check = state.runningCheck === undefined ? "" : ` Its ${state.runningCheck} was not finished.`;
  return `${revision} is ${lastStatus(state)?.raw}.${check}`;
}

const maxTitles = 5;

function describeDeleted(titles: readonly string[]): string {
  if (titles.length === 0) return "";
  if (titles.length === 1) return `Deployment ${titles[0]} was deleted.`;
  const more = titles.length - maxTitles;
  const named = more > 0 ? [...titles.slice(0, maxTitles), `${more} more`] : titles;
  return `Deployments ${named.slice(0, -1).join(", ")} and ${named.at(-1)} were deleted.`;
}

/** How this run's own revision ended, if something else is left behind, such as a rollback. */
function ownEnd(state: RunState): string {
  if (state.revisionId === undefined || !hasEnded(state)) return "";
  const reason = state.statusMessage === undefined ? "." : `: ${sanitizeSentence(state.statusMessage, 300)}`;
  return `This run's own revision ${state.revisionId} ended as ${lastStatus(state)?.raw}${reason}`;
}

/** Whether this run's revision was seen in a status that is no longer pending. */
export function hasEnded({ statuses }: RunState): boolean {
  const last = statuses.at(-1);
  return last !== undefined && last.status.kind !== "pending";
}
