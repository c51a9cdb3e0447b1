import { type Message, quote, text } from "../text/message.ts";

export const kindLabels = {
  "serving check": text`serving check`,
  "health check": text`health check`,
  "smoke test": text`smoke test`,
  comparison: text`comparison`,
  "commit check": text`commit check`,
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
  readonly summary?: Message | undefined;
  /** The item of a smoke test in its output. It is rendered once, because a long response takes long. */
  readonly outputItem?: string | undefined;
}

export interface CheckNotRun extends CheckIdentity {
  /** Such as `not run`. */
  readonly reason: Message;
}

/** Returns a check's name within a sentence, such as `health check` or `smoke test "greets"`. */
export function checkLabel({ kind, name }: CheckIdentity): Message {
  if (kind === "comparison") return text`comparison with ${quote(name, 100)}`;
  return kind === "smoke test" ? text`smoke test ${quote(name, 100)}` : kindLabels[kind];
}
