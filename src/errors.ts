import { isNativeError } from "node:util/types";
import { code, type Message, rawText, text } from "./text/message.ts";

/** A file of the workspace, and maybe a line of it. */
export interface Place {
  /** Relative to the workspace, with `/` between its parts. */
  readonly path: string;
  readonly line?: number | undefined;
}

/** One of several things that are wrong: an annotation of its own. */
export interface Problem extends Message {
  /** Of the annotation, if it is not that of the error. */
  readonly title?: Message | undefined;
  readonly place?: Place | undefined;
  /** What to do about this one, if there are several. */
  readonly hint?: Message | undefined;
}

interface ErrorParts {
  /** The kind of error, such as `name_taken`, for code and tests that compare it. */
  readonly code: string;
  /** What to look at next: an input, a permission or a setting. */
  readonly hint: Message;
  /** Single problems, such as input errors or the items of a 422: each becomes an annotation. */
  readonly problems?: readonly Problem[];
  /** Of the annotation; by default the action, the deployment and the outcome. */
  readonly title?: Message | undefined;
  /** What the error is about. */
  readonly place?: Place | undefined;
  readonly cause?: unknown;
  /** Whether the text or the hint says what a create or update may have left behind. */
  readonly explainsWrite?: boolean;
}

/** An error that the user sees: `text` says what failed, `hint` what to do next. All others are bugs of this action. */
export class ActionError extends Error {
  override readonly name: string = "ActionError";
  readonly code: string;
  /** What failed. `message` is the same with raw values, for debuggers and tests: nothing prints it. */
  readonly text: Message;
  readonly hint: Message;
  readonly problems: readonly Problem[];
  readonly title: Message | undefined;
  readonly place: Place | undefined;
  readonly explainsWrite: boolean;

  constructor(message: Message, parts: ErrorParts) {
    super(rawText(message), { cause: parts.cause });
    this.code = parts.code;
    this.text = message;
    this.hint = parts.hint;
    this.problems = parts.problems ?? [];
    this.title = parts.title;
    this.place = parts.place;
    this.explainsWrite = parts.explainsWrite ?? false;
  }
}

/** What comes first after a run that was cancelled or killed. */
export const ifReplaced = text`If a newer run replaced this one, there is nothing to do.`;

/** The run was cancelled: the reason with which `Context.cancelled` is aborted. */
export class CancelledError extends ActionError {
  override readonly name = "CancelledError";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(text`The run was cancelled (${code(signal)}).`, {
      code: "cancelled",
      hint: text`${ifReplaced} Otherwise, run the job again if it is still needed.`,
    });
  }
}

/** What came of a call that may fail without harm. */
export type Result<T> = { readonly value: T } | { readonly error: ActionError };

/** Makes a call that may fail without harm. @throws the reason of `cancelled`, and whatever is not an `ActionError`. */
export async function toResult<T>(call: () => Promise<T>, cancelled?: AbortSignal): Promise<Result<T>> {
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
    : new Error(`A value that is not an Error was thrown: ${String(thrown)}`);
}
