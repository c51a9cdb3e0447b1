/**
 * What the main step saves for the post step, in case it is killed; all of it is emptied at a normal end.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#sending-values-to-the-pre-and-post-actions
 */
/** The id of the record or comment on GitHub; until GitHub has sent it, a JSON object to find it by. */
export const recordIdKey = "record_id";
export const commentIdKey = "comment_id";
/** The final state of the record and the final text of the comment, saved before they are sent to GitHub. */
export const recordEndKey = "record_end";
export const commentEndKey = "comment_end";
/** What is still running on the platform, as sentences. */
export const leftKey = "left";
/** The text that the main step saved, undefined if there is none. */
export function savedText(environment, name) {
    return environment[`STATE_${name}`] || undefined;
}
/** The id that the main step saved, undefined if there is none. */
export function savedId(environment, name) {
    return Number(savedText(environment, name)) || undefined;
}
/** Whether the main step left anything to clean up. */
export function needsCleanUp(environment) {
    return [recordIdKey, commentIdKey, leftKey].some((name) => savedText(environment, name) !== undefined);
}
