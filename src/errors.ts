import { isNativeError } from "node:util/types";
import { code, inputName, type Message, rawText, text } from "./text/message.ts";

/** A file of the workspace, and maybe a line of it. */
export interface Place {
  /** Relative to the workspace, with `/` between its parts. */
  readonly path: string;
  readonly line?: number | undefined;
}

/** One of the things that are wrong. Each becomes an annotation. */
interface Problem extends Message {
  /** The title of its annotation; by default that of the failure. */
  readonly title?: Message | undefined;
  readonly place?: Place | undefined;
  /** What to do about this problem. Shown only if there are several problems. */
  readonly hint?: Message | undefined;
}

/** An input that is wrong. */
export interface InputProblem {
  readonly input: string;
  /** What the problem is about, if that is only a part of the input. */
  readonly subject?: Message | undefined;
  /** A sentence without its subject and full stop, such as "must be a URL". Never holds the value of a secret. */
  readonly problem: Message;
  /** What to do about it, if that is more than to correct the input. */
  readonly hint?: Message | undefined;
  /** The file that is wrong or missing. */
  readonly place?: Place | undefined;
}

/** How a run can end (docs/specification.md#outcomes); `done`: the usage or the oauth-provider action succeeded. */
export const outcomes = [
  "deployed",
  "passed",
  "started",
  "planned",
  "unchanged",
  "failed",
  "superseded",
  "interrupted",
  "timed_out",
  "cancelled",
  "deleted",
  "skipped",
  "done",
] as const;
export type Outcome = (typeof outcomes)[number];

/** How a run ended, in words for people. It is made where the reason is known. */
export interface Ending {
  readonly outcome: Outcome;
  /** What happened, as a sentence. */
  readonly message: Message;
  /** What else is known, as sentences: what is live now, what is still running. */
  readonly details?: readonly Message[];
  /** What to do next. */
  readonly hint?: Message | undefined;
  /** Single problems, such as invalid inputs. Each becomes an annotation. */
  readonly problems?: readonly Problem[];
  /** The result in a few words: what failed, such as `smoke test failed`, or in place of the outcome of a success. */
  readonly result?: Message | undefined;
  /** The title of the annotation; by default it names the action, the deployment and what failed. */
  readonly title?: Message | undefined;
  /** The file that the failure is about. */
  readonly place?: Place | undefined;
}

interface FailureParts extends Partial<Omit<Ending, "message" | "hint">> {
  /** What to look at next: an input, a permission or a setting. */
  readonly hint: Message;
  readonly cause?: unknown;
}

interface FailureEnding extends Ending {
  readonly hint: Message;
  readonly problems: readonly Problem[];
}

/** Ends a run: `ending` says what failed and what to do next. Whatever else is thrown is a bug of this action. */
export class Failure extends Error {
  override readonly name: string = "Failure";
  /** How the run ends. The error's own `message` has raw values, for debuggers and tests: nothing prints it. */
  get ending(): FailureEnding {
    return this.#ending;
  }

  #ending: FailureEnding;

  constructor(message: Message, { cause, ...parts }: FailureParts) {
    super(rawText(message), { cause });
    this.#ending = { outcome: "failed", problems: [], ...parts, message };
  }

  /** Adds details to this failure, and returns it. Undefined details are left out. */
  addDetails(...details: readonly (Message | undefined)[]): this {
    const { details: earlier = [] } = this.ending;
    const more = details.filter((detail) => detail !== undefined);
    this.#ending = { ...this.ending, details: [...earlier, ...more] };
    return this;
  }
}

/** The first sentence of the hint after a run was cancelled or killed. */
export const ifReplaced = text`If a newer run replaced this one, there is nothing to do.`;

/** What to do if a rollback is still needed. Without the revision, a second one would go back further. */
export const rollBackAgain = text`To roll back again, use the rollback action with ${inputName("revision_id")}.`;

/** The run was cancelled: the reason with which `Context.cancelled` is aborted. */
export class CancelledError extends Failure {
  override readonly name = "CancelledError";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(text`The run was cancelled (${code(signal)}).`, {
      outcome: "cancelled",
      hint: text`${ifReplaced} Otherwise, run the job again if it is still needed.`,
    });
  }
}

/** The value of a call that may fail, or its failure. */
export type Result<T> = { readonly value: T } | { readonly error: Failure };

/**
 * Makes a call, and returns its failure instead of throwing it. `cancelled`: undefined if a cancellation counts like any other
 * failure.
 *
 * @throws the reason of `cancelled`, and whatever is not a `Failure`
 */
export async function toResult<T>(
  call: () => Promise<T>,
  cancelled: AbortSignal | undefined,
): Promise<Result<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    cancelled?.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { error };
  }
}

/** Whatever was thrown, as an Error: JavaScript can throw any value. */
export function toError(thrown: unknown): Error {
  return isNativeError(thrown)
    ? thrown
    : new Error(`A value that is not an Error was thrown: ${String(thrown)}`);
}
