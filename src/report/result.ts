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
  /** Of the annotation; by default it names the action, the deployment and what failed. */
  readonly title?: Message | undefined;
  /** What the failure is about. */
  readonly place?: Place | undefined;
  /** Whether the message is a notice, because the run succeeded in another way than most do. */
  readonly isNotice?: boolean;
  /** Whether a newer revision is live in place of this run's. */
  readonly isReplaced?: boolean;
  /** Whether the deployment is gone or about to be, whatever was live. */
  readonly isBeingDeleted?: boolean;
  /** What headings and tables call the result in place of its outcome. */
  readonly label?: "nothing to delete" | undefined;
}

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
export function isLive({ outcome, isReplaced = false }: RunResult): boolean {
  return (outcome === "deployed" || outcome === "unchanged") && !isReplaced;
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
export function resultLabel({ label, outcome }: Pick<RunResult, "label" | "outcome">): string {
  return label ?? formatOutcome(outcome);
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
