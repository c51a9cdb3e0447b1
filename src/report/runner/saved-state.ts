// What the main step saves for the post step, in case it is killed. At a normal end, all but the outcome is emptied.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#sending-values-to-the-pre-and-post-actions

import type { Environment } from "../../workflow-run.ts";

/** Where the run's record and comment on GitHub are found, as JSON. */
export const recordKey = "record";
export const commentKey = "comment";
/** How the run ended, if a record or a comment is to show it. Nothing is to be cleaned up because of it alone. */
export const outcomeKey = "outcome";
/** What is still running on the platform, as JSON. */
export const leftKey = "left";

/** The text that the main step saved, undefined if there is none. */
export function savedText(environment: Environment, name: string): string | undefined {
  return environment[`STATE_${name}`] || undefined;
}

/** Whether the main step left anything to clean up. */
export function needsCleanUp(environment: Environment): boolean {
  return [recordKey, commentKey, leftKey].some((name) => savedText(environment, name) !== undefined);
}
