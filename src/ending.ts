import type { ActionError } from "./errors.ts";

/** How a run ended (docs/specification.md#outcomes); `done`: an action that deploys nothing succeeded. */
export type Outcome =
  | "deployed"
  | "started"
  | "planned"
  | "failed"
  | "superseded"
  | "interrupted"
  | "timed_out"
  | "cancelled"
  | "deleted"
  | "skipped"
  | "done";

/** How a run ended, in parts that each reporter arranges. All are complete sentences. */
export interface Ending {
  readonly outcome: Outcome;
  /** What happened. */
  readonly headline: string;
  /** What else is known: what is live now, what was left running. */
  readonly details?: readonly string[];
  /** What to do next. */
  readonly hint?: string;
  /** Single findings, an annotation each. */
  readonly findings?: readonly string[];
}

const successes: ReadonlySet<Outcome> = new Set([
  "deployed",
  "started",
  "planned",
  "deleted",
  "skipped",
  "done",
]);

export function isSuccess(outcome: Outcome): boolean {
  return successes.has(outcome);
}

/** The outcome as people read it. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

export function failedEnding(error: ActionError, details: readonly string[] = []): Ending {
  const { message: headline, hint, findings } = error;
  return { outcome: "failed", headline, details, hint, findings };
}

/** The headline and details as one text. */
export function endingText({ headline, details = [] }: Ending): string {
  return [headline, ...details].join(" ");
}
