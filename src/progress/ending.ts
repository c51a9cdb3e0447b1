import type { ActionError } from "../errors.ts";

/** How a run ended (contract, 3.3). */
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
  /** An action that deploys nothing did what it was asked to. */
  | "done";

/** How a run ended, and what to say of it. */
export interface Ending {
  readonly outcome: Outcome;
  /** One or more sentences for the log, the annotation and the summary. */
  readonly message: string;
  /** What to look at and do next, where it ended badly. */
  readonly hint?: string;
  /** Findings that deserve an annotation each. */
  readonly items?: readonly string[];
}

const successes: ReadonlySet<Outcome> = new Set([
  "deployed",
  "started",
  "planned",
  "deleted",
  "skipped",
  "done",
]);

/** Whether the step succeeds by this outcome (contract, 3.3). */
export function succeeded(outcome: Outcome): boolean {
  return successes.has(outcome);
}

/** The outcome as people read it. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

/** The ending that an error makes. */
export function failedWith(error: ActionError): Ending {
  return { outcome: "failed", message: error.message, hint: error.hint, items: error.items };
}
