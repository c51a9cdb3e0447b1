import { formatDuration } from "../text/format.ts";
import { code, type Message, quote, text } from "../text/message.ts";
import type { CheckResult } from "../watch-results.ts";

/** A check as a message names it, such as `health check` or `smoke test "greets"`. */
export function checkLabel(
  { kind, name }: Pick<CheckResult, "kind" | "name">,
  words: Readonly<Record<CheckResult["kind"], Message>> = inSentence,
): Message {
  const isNamed = kind === "smoke test" || kind === "comparison";
  return isNamed ? text`${words[kind]} ${quote(name, 100)}` : words[kind];
}

const inSentence = {
  "health check": text`health check`,
  "serving check": text`serving check`,
  "smoke test": text`smoke test`,
  comparison: text`comparison with`,
} as const;

const atStart = {
  "health check": text`Health check`,
  "serving check": text`Serving check`,
  "smoke test": text`Smoke test`,
  comparison: text`Comparison with`,
} as const;

/** What came of a check, as a sentence. */
export function checkSentence({ kind, name, passed, finding, durationMs }: CheckResult): Message {
  if (!passed) return text`The ${checkLabel({ kind, name })} failed: ${finding}.`;
  const subject = checkLabel({ kind, name }, atStart);
  return text`${subject} passed after ${code(formatDuration(durationMs))} (${finding}).`;
}

/** A failed check's request, expectations and responses, a line each. */
export function evidenceLines({ evidence }: CheckResult, plain: (message: Message) => string): string[] {
  if (evidence === undefined) return [];
  return [
    `Request:  ${plain(evidence.request)}`,
    ...evidence.expected.map((one) => `Expected: ${plain(one)}`),
    ...evidence.received.map((one) => `Received: ${plain(one)}`),
  ];
}
