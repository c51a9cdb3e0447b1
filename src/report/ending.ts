import type { Ending, Outcome } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

/** The symbols of the outcomes with which the step succeeds, for headings. */
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

/** Returns whether the step succeeds. */
export function isSuccess(outcome: Outcome): boolean {
  return successMarks.has(outcome);
}

const failureMarks = new Map<Outcome, string>([
  ["superseded", "⏭️"],
  ["interrupted", "🛑"],
  ["cancelled", "🚫"],
]);

/** Returns the symbol of an outcome, for headings. */
export function outcomeMark(outcome: Outcome): string {
  return successMarks.get(outcome) ?? failureMarks.get(outcome) ?? "❌";
}

/** Returns the outcome as people read it. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

/** Returns the message and the details as one text. */
export function endingMessage({ message, details = [] }: Ending): Message {
  return joined([message, ...details]);
}
