// What follows from each outcome, as in docs/specification.md#outcomes.

/**
 * The outcomes with which the step succeeds. The usage and oauth-provider actions end with `done`. `recordState` is the state
 * that the GitHub record of the run's revision gets; undefined for runs that make no revision.
 */
const successes = {
  deployed: { mark: "✅", recordState: "success" },
  started: { mark: "🚀", recordState: "queued" },
  planned: { mark: "📝", recordState: undefined },
  passed: { mark: "✅", recordState: undefined },
  unchanged: { mark: "✅", recordState: undefined },
  deleted: { mark: "🗑️", recordState: "inactive" },
  skipped: { mark: "⏭️", recordState: undefined },
  done: { mark: "✅", recordState: undefined },
} as const;

const failures = {
  failed: { mark: "❌", recordState: "failure" },
  superseded: { mark: "⏭️", recordState: "inactive" },
  interrupted: { mark: "🛑", recordState: "failure" },
  timed_out: { mark: "❌", recordState: "error" },
  cancelled: { mark: "🚫", recordState: "error" },
} as const;

export const outcomes = { ...successes, ...failures };

export type SuccessOutcome = keyof typeof successes;
export type FailureOutcome = keyof typeof failures;
export type Outcome = SuccessOutcome | FailureOutcome;

export function isOutcome(raw: string): raw is Outcome {
  return Object.hasOwn(outcomes, raw);
}

export function isSuccess(outcome: Outcome): boolean {
  return Object.hasOwn(successes, outcome);
}

export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}
