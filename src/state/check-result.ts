import type { ContractChange } from "../compare/contract-change.ts";
import { type Message, type Phrase, phrase, quote } from "../text/message.ts";

/** The kinds of checks, and what follows if one fails. */
export const checkKinds = {
  "serving check": { label: phrase`serving check`, showsServerLog: true, allowsRollback: true },
  "health check": { label: phrase`health check`, showsServerLog: true, allowsRollback: true },
  "smoke test": { label: phrase`smoke test`, showsServerLog: true, allowsRollback: true },
  comparison: { label: phrase`comparison`, showsServerLog: false, allowsRollback: true },
  // If only the commit is wrong, the agent itself is fine.
  "commit check": { label: phrase`commit check`, showsServerLog: false, allowsRollback: false },
} as const;

/** What messages name a check by. */
export interface CheckIdentity {
  readonly kind: keyof typeof checkKinds;
  /** The name of a smoke test, what is compared with, the expected commit, or the path of any other request. */
  readonly name: string;
}

export type CheckVerdict = {
  /** The changes that a comparison found. */
  readonly changes?: readonly ContractChange[];
  /** What a comparison found, or why a check was skipped, in a few words. */
  readonly summary?: Phrase | undefined;
} & (
  | { readonly verdict: "passed" | "warned" | "skipped" }
  | {
      readonly verdict: "failed";
      readonly hint: Message;
      /** The request, the expected response and the received one, each as lines. */
      readonly evidence?: readonly Message[];
    }
);

export type CheckResult = CheckIdentity &
  CheckVerdict & {
    readonly durationMs: number;
    /** A sentence that names the check. */
    readonly message: Message;
  };

export type FailedCheck = Extract<CheckResult, { readonly verdict: "failed" }>;

/** Returns what a sentence calls a check, such as `health check` or `smoke test "greets"`. */
export function checkLabel({ kind, name }: CheckIdentity): Phrase {
  if (kind === "comparison") return phrase`comparison with ${quote(name, 100)}`;
  return kind === "smoke test" ? phrase`smoke test ${quote(name, 100)}` : checkKinds[kind].label;
}
