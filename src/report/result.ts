import type { ActionError, Place, Problem } from "../errors.ts";
import { joined, type Message } from "../text/message.ts";

/** How a run ended (docs/specification.md#outcomes); `done`: an action that deploys nothing succeeded. */
export type Outcome =
  | "deployed"
  | "started"
  | "planned"
  | "unchanged"
  | "failed"
  | "superseded"
  | "interrupted"
  | "timed_out"
  | "cancelled"
  | "deleted"
  | "skipped"
  | "done";

/** How a run ended, for people. */
export interface RunResult {
  readonly outcome: Outcome;
  /** What happened, as a sentence. */
  readonly message: Message;
  /** What else is known, as sentences: what is live now, what is still running. */
  readonly details?: readonly Message[];
  /** What to do next. */
  readonly hint?: Message | undefined;
  /** Single problems, such as invalid inputs: an annotation each. */
  readonly problems?: readonly Problem[];
  /** What failed, in a few words, such as `smoke test failed`; by default the outcome. */
  readonly failure?: Message | undefined;
  /** The result in a few words, for a heading or a table; by default `special` or the outcome. */
  readonly label?: string | undefined;
  /** The mark before the label, if not that of the outcome. */
  readonly mark?: string | undefined;
  /** Of the annotation; by default it names the action, the deployment and what failed. */
  readonly title?: Message | undefined;
  /** What the failure is about. */
  readonly place?: Place | undefined;
  readonly special?: SpecialEnd | undefined;
}

/** What makes an end other than most of its outcome. A run that succeeded so says it with a notice. */
type SpecialEnd =
  /** Deployed, but a newer revision is live in place of this run's. */
  | "replaced"
  /** A rollback had nothing to do. */
  | "already_live"
  | "nothing_to_delete"
  /** Failed, and the deployment is gone or about to be, whatever was live. */
  | "being_deleted";

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
export function isLive({ outcome, special }: RunResult): boolean {
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
export function resultLabel({ label, special, outcome }: RunResult): string {
  if (label !== undefined) return label;
  if (special === "nothing_to_delete") return "nothing to delete";
  return special === "already_live" ? "already live" : formatOutcome(outcome);
}

/** The result of a run that an error ended. */
export function failedResult(
  { text: message, hint, problems, title, place }: ActionError,
  detail?: Message,
): RunResult {
  const details = detail === undefined ? [] : [detail];
  return { outcome: "failed", message, details, hint, problems, title, place };
}

/** The result with more details, after its own. */
export function withDetails(result: RunResult, ...more: readonly Message[]): RunResult {
  return { ...result, details: [...(result.details ?? []), ...more] };
}

/** The message and the details as one text. */
export function resultMessage({ message, details = [] }: RunResult): Message {
  return joined([message, ...details]);
}
