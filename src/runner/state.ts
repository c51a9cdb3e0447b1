/**
 * Names under which a main step keeps what its `post:` step settles if it is killed; emptied at a clean end. It is a
 * number, or, from the moment at which GitHub is asked to make one, what that can be found by.
 */
export const recordState = "record_id";
export const commentState = "comment_id";
/** And under which it keeps how they are to end, from before GitHub is told until it was. */
export const recordEndState = "record_end";
export const commentEndState = "comment_end";
/** And under which it keeps what it would leave behind on the platform, as a sentence. */
export const leftState = "left_running";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the main step kept, as text; undefined where there is nothing (runner: `STATE_<name>`). */
export function readText(environment: Environment, name: string): string | undefined {
  return environment[`STATE_${name}`] || undefined;
}

/** The number that the main step kept, undefined where there is none. */
export function readState(environment: Environment, name: string): number | undefined {
  return Number(readText(environment, name)) || undefined;
}

/** What else the main step kept there, as text. */
export function readSought(environment: Environment, name: string): string | undefined {
  return readState(environment, name) === undefined ? readText(environment, name) : undefined;
}

/** Whether a main step left anything to settle. */
export function leftUnsettled(environment: Environment): boolean {
  return [recordState, commentState, leftState].some((name) => readText(environment, name) !== undefined);
}
