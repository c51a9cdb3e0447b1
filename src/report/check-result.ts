import { type Message, type Phrase, phrase, quote } from "../text/message.ts";

export const kindLabels = {
  "serving check": phrase`serving check`,
  "health check": phrase`health check`,
  "smoke test": phrase`smoke test`,
  comparison: phrase`comparison`,
  "commit check": phrase`commit check`,
};

/** What messages name a check by. */
export interface CheckIdentity {
  readonly kind: keyof typeof kindLabels;
  /** The name of a smoke test, what is compared with, the expected commit, or the path of any other request. */
  readonly name: string;
}

export interface CheckResult extends CheckIdentity {
  readonly verdict: "passed" | "warned" | "failed";
  readonly durationMs: number;
  /** A sentence that names the check. */
  readonly message: Message;
  readonly hint?: Message | undefined;
  /** The request, the expected response and the received one, each as lines. */
  readonly evidence?: readonly Message[] | undefined;
  /** What a comparison found, in a few words. */
  readonly summary?: Phrase | undefined;
  /** The item of a smoke test in its output. It is rendered once, because a long response takes long. */
  readonly outputItem?: string | undefined;
}

export interface CheckNotRun extends CheckIdentity {
  /** Such as `not run`. */
  readonly reason: Phrase;
}

/** Returns what a sentence calls a check, such as `health check` or `smoke test "greets"`. */
export function checkLabel({ kind, name }: CheckIdentity): Phrase {
  if (kind === "comparison") return phrase`comparison with ${quote(name, 100)}`;
  return kind === "smoke test" ? phrase`smoke test ${quote(name, 100)}` : kindLabels[kind];
}
