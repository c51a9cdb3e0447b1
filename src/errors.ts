import { isNativeError } from "node:util/types";

interface ErrorParts {
  /** The kind of error, such as `name_taken`, for code and tests that compare it. */
  readonly code: string;
  /** What to look at next: an input, a permission or a setting. */
  readonly hint: string;
  /** Single findings, such as input errors or the items of a 422: each becomes an annotation. */
  readonly findings?: readonly string[];
  readonly cause?: unknown;
}

/** An error that the user sees: `message` says what failed, `hint` what to do next. All others are bugs of this action. */
export class ActionError extends Error {
  override readonly name: string = "ActionError";
  readonly code: string;
  readonly hint: string;
  readonly findings: readonly string[];

  constructor(message: string, { code, hint, findings = [], cause }: ErrorParts) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.findings = findings;
  }
}

/** The run was cancelled: the reason with which `Context.cancelled` is aborted. */
export class CancelledError extends ActionError {
  override readonly name = "CancelledError";

  constructor(signal: string) {
    super(`The run was cancelled (${signal}).`, {
      code: "cancelled",
      hint: "Run the job again if it is still needed.",
    });
  }
}

/** What came of a call that may fail without harm. */
export type Result<T> = { readonly value: T } | { readonly error: ActionError };

/** Makes a call that may fail without harm. @throws the reason of `cancelled`, and whatever is not an `ActionError`. */
export async function bestEffort<T>(call: () => Promise<T>, cancelled?: AbortSignal): Promise<Result<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    cancelled?.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return { error };
  }
}

/** Whatever was thrown, as an Error: JavaScript can throw any value. */
export function toError(thrown: unknown): Error {
  return isNativeError(thrown)
    ? thrown
    : new Error(`A value that is not an Error was thrown: ${describe(thrown)}`);
}

function describe(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    // An object without a prototype can't be converted to a string.
    return typeof thrown;
  }
}
