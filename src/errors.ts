import { isNativeError } from "node:util/types";
import type { FailureOutcome, Outcome, SuccessOutcome } from "./outcomes.ts";
import { code, inputName, joined, type Message, type Phrase, rawText, text } from "./text/message.ts";

/** A file of the workspace, and maybe a line of it. */
export interface Place {
  /** Relative to the workspace, with `/` between its parts. */
  readonly path: string;
  readonly line?: number | undefined;
}

/** One of several problems. Each becomes an annotation. */
interface Problem {
  /** A sentence. */
  readonly message: Message;
  /** The title of its annotation. By default, that of the failure. */
  readonly title?: Phrase | undefined;
  readonly place?: Place | undefined;
  readonly hint?: Message | undefined;
}

/** How a run ended, in words for people. It is made where the cause is known. */
export interface Ending {
  readonly outcome: Outcome;
  /** What happened, in one or two sentences. */
  readonly message: Message;
  /** Further sentences, for example about the live revision or unfinished work. */
  readonly details?: readonly Message[];
  /** The next step for the user, as sentences. */
  readonly hint?: Message | undefined;
  /** Single problems, such as invalid inputs. */
  readonly problems?: readonly Problem[];
  /** The ending in a few words, such as `smoke test failed`. In the heading of a success, it stands in place of the outcome. */
  readonly headline?: Phrase | undefined;
  /** The title of the annotation. By default, it names the action, the deployment and the headline. */
  readonly title?: Phrase | undefined;
  /** The file that the failure is about. */
  readonly place?: Place | undefined;
}

export interface SuccessEnding extends Pick<Ending, "message" | "details" | "hint" | "headline"> {
  readonly outcome: SuccessOutcome;
}

interface FailureEnding extends Ending {
  readonly outcome: FailureOutcome;
  /** The input, permission or setting to look at next. */
  readonly hint: Message;
  readonly details: readonly Message[];
  readonly problems: readonly Problem[];
}

export interface FailureParts extends Partial<Omit<FailureEnding, "message">> {
  readonly hint: Message;
  readonly cause?: unknown;
}

/** Ends a run with its `ending`. Any other error is a bug of this action. */
export class Failure extends Error {
  override readonly name: string = "Failure";
  #ending: FailureEnding;

  /** How the run ends. Show this to people, and not `message`: that has the raw values, for debuggers. */
  get ending(): FailureEnding {
    return this.#ending;
  }

  /** The message and those of the single problems, for another failure that quotes this one. */
  get quoted(): Message {
    const { message, problems } = this.ending;
    return joined([message, ...problems.map((problem) => problem.message)]);
  }

  constructor(message: Message, { cause, ...parts }: FailureParts) {
    super(rawText(message), { cause });
    this.#ending = { outcome: "failed", problems: [], details: [], ...parts, message };
  }

  /** Adds the details that are defined, and returns this failure. */
  addDetails(...details: readonly (Message | undefined)[]): this {
    const added = details.filter((detail) => detail !== undefined);
    this.#ending = { ...this.#ending, details: [...this.#ending.details, ...added] };
    return this;
  }
}

/** The first sentence of the hint after a run was cancelled or killed. */
export const ifReplacedHint = text`If a newer run replaced this one, there is nothing to do.`;

/** The hint if a rollback is still needed. A second one without `revision_id` would go back too far. */
export const rollBackAgainHint = text`To roll back again, use the rollback action with ${inputName("revision_id")}.`;

/** The abort reason of `Context.cancelled`. */
export class CancelledError extends Failure {
  override readonly name = "CancelledError";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(text`The run was cancelled (${code(signal)}).`, {
      outcome: "cancelled",
      hint: text`${ifReplacedHint} Otherwise, run the job again if it is still needed.`,
    });
  }
}

/** The value of a call that may fail, or its failure. */
export type Result<T, E extends Failure = Failure> =
  | { readonly value: T; readonly error?: never }
  | { readonly error: E; readonly value?: never };

/** Makes a call, and returns its failure instead of throwing it. @throws CancelledError, and any error that is a bug */
export async function toResult<T>(call: () => Promise<T>): Promise<Result<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof CancelledError) throw error;
    return { error };
  }
}

/** Makes a call, and returns undefined instead of throwing an expected error. */
export async function undefinedIf<T>(
  call: () => Promise<T>,
  isExpected: (error: unknown) => boolean,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** Returns the thrown value as an Error: JavaScript can throw any value. */
export function toError(thrown: unknown): Error {
  return isNativeError(thrown) ? thrown : new Error(String(thrown));
}
