import type { Ending, Outcome } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

const successes: ReadonlySet<Outcome> = new Set([
  "deployed",
  "passed",
  "started",
  "planned",
  "unchanged",
  "deleted",
  "skipped",
  "done",
]);

export function isSuccess(outcome: Outcome): boolean {
  return successes.has(outcome);
}

const marks: Partial<Record<Outcome, string>> = {
  deployed: "✅",
  passed: "✅",
  unchanged: "✅",
  done: "✅",
  deleted: "🗑️",
  started: "🚀",
  planned: "📝",
  superseded: "⏭️",
  skipped: "⏭️",
  interrupted: "🛑",
  cancelled: "🚫",
};

/** The symbol of an outcome, for headings. */
export function outcomeMark(outcome: Outcome): string {
  return marks[outcome] ?? "❌";
}

/** The outcome as people read it. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

/** The message and the details as one text. */
export function endingMessage({ message, details = [] }: Ending): Message {
  return joined([message, ...details]);
}
