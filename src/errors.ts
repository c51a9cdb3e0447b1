import { isNativeError } from "node:util/types";

/**
 * An error that is told to the user: `message` says what failed, `hint` what to look at and to do next.
 * `items` are single findings (input errors, items of a 422) that deserve an annotation each.
 */
export abstract class ActionError extends Error {
  abstract readonly hint: string;
  readonly items: readonly string[] = [];
}

/** The run was cancelled; the reason with which `Context.cancelled` is aborted. */
export class CancelledError extends ActionError {
  override readonly name = "CancelledError";
  readonly hint = "Run the job again if it is still needed.";

  constructor(signal: string) {
    super(`The run was cancelled (${signal}).`);
  }
}

/** Whatever was thrown, as an Error: JavaScript throws anything, and nothing of it may be ignored. */
export function toError(thrown: unknown): Error {
  return isNativeError(thrown)
    ? thrown
    : new Error(`Something that is no error was thrown: ${spelled(thrown)}`);
}

/** Not everything can be made a text. */
function spelled(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}
