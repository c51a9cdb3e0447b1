// What the main step saves for the post step, in case it is killed. At a normal end, all but the outcome is emptied. See
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#sending-values-to-the-pre-and-post-actions

import type { Environment } from "../../workflow-run.ts";

/** Where the run's record and comment on GitHub are found, as JSON. */
export const recordKey = "record";
export const commentKey = "comment";
/** How the run ended, if a record or a comment is to show it. Nothing is to be cleaned up because of it alone. */
export const outcomeKey = "outcome";
/** What the run would leave behind on the platform, and the name or ID of its deployment, as JSON. */
export const unfinishedKey = "unfinished";

/** Returns the text that the main step saved, undefined if there is none. */
export function savedText(environment: Environment, name: string): string | undefined {
  return environment[`STATE_${name}`] || undefined;
}

/** Returns whether the main step left anything to clean up. */
export function needsCleanUp(environment: Environment): boolean {
  return [recordKey, commentKey, unfinishedKey].some((name) => savedText(environment, name) !== undefined);
}
