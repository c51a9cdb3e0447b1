import type { Command } from "./command-parser.ts";

export type AnnotationLevel = "error" | "warning" | "notice";

export interface Annotation {
  readonly level: AnnotationLevel;
  /** Masked with the masks so far, and cut at 4,096 characters. */
  readonly message: string;
  readonly title?: string;
  readonly file?: string;
  readonly line?: string;
  readonly endLine?: string;
  readonly column?: string;
  readonly endColumn?: string;
  /** GitHub keeps the first ten of each level per step. The others are only in the log. */
  readonly kept: boolean;
}

export interface LoggedCommand extends Command {
  /** `stopped` by stop-commands or `unknown` to the runner: then it is printed like any text. */
  readonly effect: "run" | "stopped" | "unknown";
}

/** What the runner reads from a step's output. */
export interface StepLog {
  /** The log as GitHub shows it: each line masked with the masks at its time. */
  readonly lines: readonly string[];
  readonly annotations: readonly Annotation[];
  /** The values of add-mask, in order; for a value of several lines also each line. */
  readonly masks: readonly string[];
  readonly groups: readonly { readonly title: string; readonly closed: boolean }[];
  /** Messages of `::debug::`. `lines` has them only if debug logging is on. */
  readonly debug: readonly string[];
  /** Everything that has the form of a command, in order. */
  readonly commands: readonly LoggedCommand[];
  /** Set by the old `set-output` and `save-state` commands. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** Commands that the runner refuses: each fails the step, whatever its exit code. */
  readonly refused: readonly string[];
  /** A text, line by line, with the masks at the end of the step. */
  masked(text: string): string;
  /** Whether a text contains something masked. GitHub drops a job's output then. */
  hides(text: string): boolean;
}

export interface StepLogOptions {
  /** What the runner masks from the start: the job's secrets and its token. */
  readonly secrets?: readonly string[];
  /** Step debug logging (`RUNNER_DEBUG=1`). */
  readonly debug?: boolean;
}
