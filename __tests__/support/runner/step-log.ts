import type { Command } from "./command-parser.ts";

export type AnnotationLevel = "error" | "warning" | "notice";

export interface Annotation {
  readonly level: AnnotationLevel;
  /** Masked with what was masked by then, and cut at 4,096 characters. */
  readonly message: string;
  readonly title?: string;
  readonly file?: string;
  readonly line?: string;
  readonly endLine?: string;
  readonly column?: string;
  readonly endColumn?: string;
  /** GitHub keeps the first ten of each level of a step; the others are in the log alone. */
  readonly kept: boolean;
}

export interface LoggedCommand extends Command {
  /** `run`; `stopped` by stop-commands; `unknown` to the runner. The last two are printed like any text. */
  readonly effect: "run" | "stopped" | "unknown";
}

/** What the runner makes of a step's output. */
export interface StepLog {
  /** The log as GitHub shows it: each line masked with what was masked by the time it was printed. */
  readonly lines: readonly string[];
  readonly annotations: readonly Annotation[];
  /** Values of add-mask, in order; for one of several lines also each line. */
  readonly masks: readonly string[];
  readonly groups: readonly { readonly title: string; readonly closed: boolean }[];
  /** Messages of `::debug::`; they are among `lines` only when the step is debugged. */
  readonly debug: readonly string[];
  /** Whatever has the form of a command, known or not, in order. */
  readonly commands: readonly LoggedCommand[];
  /** Set by the old `set-output` and `save-state` commands. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** Commands that the runner can't obey: each fails the step, whatever its exit code. */
  readonly refused: readonly string[];
  /** The text, line by line, as the log would show it at the end of the step. */
  masked(text: string): string;
  /** Whether a masked string is in the text: then GitHub drops it as a job's output. */
  hides(text: string): boolean;
}

export interface StepLogOptions {
  /** What the runner masks from the start: the values of the job's secrets and its token. */
  readonly secrets?: readonly string[];
  /** Step debug logging (`RUNNER_DEBUG=1`). */
  readonly debug?: boolean;
}
