// State that the main step saves for the post step, in case it is killed. A normal end empties all but the outcome. See
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#sending-values-to-the-pre-and-post-actions
/** The places of the run's record and comment on GitHub, as JSON. */
export const recordKey = "record";
export const commentKey = "comment";
/** The outcome of a run with a record or a comment. It alone needs no clean-up. */
export const outcomeKey = "outcome";
/** The run's unfinished work, and the name or ID of its deployment, as JSON. */
export const unfinishedKey = "unfinished";
/** Returns the text that the main step saved, undefined if there is none. */
export function savedText(env, name) {
    return env[`STATE_${name}`] || undefined;
}
export function needsCleanUp(env) {
    return [recordKey, commentKey, unfinishedKey].some((name) => savedText(env, name) !== undefined);
}
