import { type Ending, type Outcome, successOutcomes } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

/** The symbols of the outcomes in headings. */
export const outcomeMarks: Readonly<Record<Outcome, string>> = {
  deployed: "✅",
  passed: "✅",
  unchanged: "✅",
  done: "✅",
  deleted: "🗑️",
  started: "🚀",
  planned: "📝",
  skipped: "⏭️",
  failed: "❌",
  timed_out: "❌",
  superseded: "⏭️",
  interrupted: "🛑",
  cancelled: "🚫",
};

/** Whether the step succeeds with this outcome. */
export function isSuccess(outcome: Outcome): boolean {
  return successOutcomes.some((success) => success === outcome);
}

/** Returns the outcome in words, such as `timed out`. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

export function endingMessage({ message, details = [] }: Ending): Message {
  return joined([message, ...details]);
}
