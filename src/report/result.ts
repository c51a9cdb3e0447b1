import type { Ending, Failure, Outcome } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

const successes: ReadonlySet<Outcome> = new Set([
  "deployed",
  "started",
  "planned",
  "unchanged",
  "deleted",
  "skipped",
  "done",
]);

/** Whether the revision of the run is live, as far as that was seen. */
export function isLive({ outcome, special }: Ending): boolean {
  return (outcome === "deployed" || outcome === "unchanged") && special !== "replaced";
}

export function isSuccess(outcome: Outcome): boolean {
  return successes.has(outcome);
}

const marks: Partial<Record<Outcome, string>> = {
  deployed: "✅",
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

/** What the eye sees first of an outcome in a summary or a comment. */
export function outcomeMark(outcome: Outcome): string {
  return marks[outcome] ?? "❌";
}

/** The outcome as people read it. */
export function formatOutcome(outcome: Outcome): string {
  return outcome.replace("_", " ");
}

/** The result in a few words, for a heading or a table. */
export function resultLabel({ label, special, outcome }: Ending): string {
  if (label !== undefined) return label;
  if (special === "nothing_to_delete") return "nothing to delete";
  return special === "already_live" ? "already live" : formatOutcome(outcome);
}

/** How a run ended that a failure ended. */
export function failedResult({ ending }: Failure, detail?: Message): Ending {
  return detail === undefined ? ending : { ...ending, details: [...(ending.details ?? []), detail] };
}

/** The result with more details, after its own. */
export function withDetails(result: Ending, ...more: readonly Message[]): Ending {
  return { ...result, details: [...(result.details ?? []), ...more] };
}

/** The message and the details as one text. */
export function resultMessage({ message, details = [] }: Ending): Message {
  return joined([message, ...details]);
}
