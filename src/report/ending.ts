import type { Ending, Outcome } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

/** The symbols in headings for the outcomes with which the step succeeds. */
const successMarks = new Map<Outcome, string>([
  ["deployed", "✅"],
  ["passed", "✅"],
  ["unchanged", "✅"],
  ["done", "✅"],
  ["deleted", "🗑️"],
  ["started", "🚀"],
  ["planned", "📝"],
  ["skipped", "⏭️"],
]);

/** Whether the step succeeds with this outcome. */
export function isSuccess(outcome: Outcome): boolean {
  return successMarks.has(outcome);
}

const failureMarks = new Map<Outcome, string>([
  ["superseded", "⏭️"],
  ["interrupted", "🛑"],
  ["cancelled", "🚫"],
]);

export function outcomeMark(outcome: Outcome): string {
  return successMarks.get(outcome) ?? failureMarks.get(outcome) ?? "❌";
}

/** Returns the outcome in words, such as `timed out`. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

/** Returns the message with its details. */
export function endingMessage({ message, details = [] }: Ending): Message {
  return joined([message, ...details]);
}
