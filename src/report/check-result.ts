import { type Message, quote, text, word } from "../text/message.ts";

type CheckKind = "serving check" | "health check" | "smoke test" | "comparison" | "commit check";

/** A check by what users call it. */
export interface CheckName {
  readonly kind: CheckKind;
  /** The name of a smoke test, the `compare_with` of a comparison, or else what was requested or expected. */
  readonly name: string;
}

/** The result of a check, which log, summary and comment show. */
export interface CheckResult extends CheckName {
  readonly passed: boolean;
  readonly durationMs: number;
  /** A sentence that names the check. */
  readonly message: Message;
  /** What to do about it. */
  readonly hint?: Message | undefined;
  /** What was sent, expected and received, a line each. */
  readonly evidence?: readonly Message[] | undefined;
  /** Whether a check that passed is worth a look. */
  readonly warns?: boolean | undefined;
  /** The result in a few words, if it is more than passed or failed. */
  readonly summary?: Message | undefined;
}

/** A check without a result. */
export interface CheckNotRun extends CheckName {
  /** Such as `not run`. */
  readonly reason: Message;
}

/** A check as a sentence names it, such as `health check` or `smoke test "greets"`. */
export function checkLabel(check: CheckName): Message {
  const { kind, name } = check;
  if (kind === "comparison") return text`comparison with ${quote(name, 100)}`;
  return kind === "smoke test" ? text`smoke test ${quote(name, 100)}` : kindOf(check);
}

/** Returns the kind as a message shows it. */
export function kindOf({ kind }: CheckName): Message {
  return word(kind);
}
