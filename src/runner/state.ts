/**
 * Names under which a main step keeps what its `post:` step settles if it is killed; emptied at a clean end. It is a
 * number, or, from the moment at which GitHub is asked to make one, what that can be found by.
 */
export const recordState = "record_id";
export const commentState = "comment_id";
/** And under which it keeps how they were to end, where GitHub failed at that. */
export const recordEndState = "record_end";
export const commentEndState = "comment_end";

type Environment = Readonly<Record<string, string | undefined>>;

/** The number that the main step kept, undefined where there is none (runner: `STATE_<name>`). */
export function readState(environment: Environment, name: string): number | undefined {
  return Number(environment[`STATE_${name}`]) || undefined;
}

/** What else the main step kept there, as text. */
export function readSought(environment: Environment, name: string): string | undefined {
  const kept = environment[`STATE_${name}`] || undefined;
  return readState(environment, name) === undefined ? kept : undefined;
}

/** Whether a main step left anything to settle. */
export function leftUnsettled(environment: Environment): boolean {
  return [recordState, commentState].some((name) => Boolean(environment[`STATE_${name}`]));
}
