import type { ContractChange } from "../compare/contract-change.ts";
import { type Message, type Phrase, phrase, preciseDuration, quote, text } from "../text/message.ts";

/** The kinds of checks, and what follows if one fails. */
export const checkKinds = {
  "serving check": { label: phrase`serving check`, showsServerLog: true, allowsRollback: true },
  "health check": { label: phrase`health check`, showsServerLog: true, allowsRollback: true },
  "smoke test": { label: phrase`smoke test`, showsServerLog: true, allowsRollback: true },
  comparison: { label: phrase`comparison`, showsServerLog: false, allowsRollback: true },
  // If only the commit is wrong, the agent itself is fine.
  "commit check": { label: phrase`commit check`, showsServerLog: false, allowsRollback: false },
} as const;

/** What a check found. */
export type CheckFinding = {
  /** What came out, or why the check was skipped. */
  readonly description: Phrase;
  /** What a comparison found, in a few words. */
  readonly summary?: Phrase;
  /** The changes that a comparison found. */
  readonly changes?: readonly ContractChange[];
} & (
  | { readonly verdict: "passed" | "warned" | "skipped" }
  | {
      readonly verdict: "failed";
      readonly hint: Message;
      /** The request, the expected response and the received one, each as lines. */
      readonly evidence?: readonly Message[];
    }
);

export type CheckResult = CheckFinding & {
  readonly kind: keyof typeof checkKinds;
  /** The name of a smoke test, what is compared with, the expected commit, or the path of any other request. */
  readonly name: string;
  readonly durationMs: number;
};

/** Returns what a sentence calls a check, such as `health check` or `smoke test "greets"`. */
export function checkLabel({ kind, name }: Pick<CheckResult, "kind" | "name">): Phrase {
  if (kind === "comparison") return phrase`comparison with ${quote(name, 100)}`;
  return kind === "smoke test" ? phrase`smoke test ${quote(name, 100)}` : checkKinds[kind].label;
}

/** Returns a sentence that names the check and says what it found. */
export function describeCheck(result: CheckResult): Message {
  const { verdict, description, durationMs } = result;
  const subject = phrase`The ${checkLabel(result)}`;
  return {
    passed: text`${subject} passed after ${preciseDuration(durationMs)} (${description}).`,
    warned: text`${subject} ended with a warning: ${description}.`,
    failed: text`${subject} failed: ${description}.`,
    skipped: text`${subject} was skipped: ${description}.`,
  }[verdict];
}
