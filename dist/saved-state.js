// State that the main step saves for the post step, in case it is killed. A normal end empties all but the outcome. See
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#sending-values-to-the-pre-and-post-actions
/** The places of the run's record and comment on GitHub, as JSON. */
export const savedRecordKey = "record";
export const savedCommentKey = "comment";
/** The outcome of a run with a record or a comment. It alone needs no clean-up. */
export const savedOutcomeKey = "outcome";
/** The run's unfinished work, and the name or ID of its deployment, as JSON. */
export const savedUnfinishedKey = "unfinished";
export function savedText(env, name) {
    return env[`STATE_${name}`] || undefined;
}
export function needsCleanUp(env) {
    return [savedRecordKey, savedCommentKey, savedUnfinishedKey].some((name) => savedText(env, name) !== undefined);
}
