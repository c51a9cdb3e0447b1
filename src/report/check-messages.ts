import { keepsContract } from "../results/comparison.ts";
import type { CheckResult } from "../results/watch.ts";
import { formatDuration } from "../text/format.ts";
import { code, type Message, quote, text } from "../text/message.ts";
import { describeGaps, summarizeComparison } from "./describe-comparison.ts";
import { describeFinding } from "./describe-finding.ts";

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
export function checkSentence(check: CheckResult): Message {
  const { what } = describeFinding(check);
  if (!check.passed) return text`The ${checkLabel(check)} failed: ${what}.`;
  const warning = warningOf(check);
  const subject = checkLabel(check, atStart);
  if (warning !== undefined) return text`${subject}: ${warning}.`;
  return text`${subject} passed after ${code(formatDuration(check.durationMs))} (${what}).`;
}

/** What begins a sentence about two or more that passed. */
export function allOf(count: number): Message {
  return count === 2 ? text`Both` : text`All ${count}`;
}

/** What a check that passed warns of, as a part of a sentence; undefined if it failed, or there is nothing. */
export function warningOf({ passed, finding }: CheckResult): Message | undefined {
  if (!passed || finding.kind !== "compared") return undefined;
  const { result } = finding;
  if (!keepsContract(result)) return summarizeComparison(result);
  const gaps = describeGaps(result);
  return gaps && text`${summarizeComparison(result)}, ${gaps}`;
}

/** What the checks of a run that succeeded warn of; undefined if nothing. */
export function warningOfChecks(checks: readonly CheckResult[]): Message | undefined {
  return checks.map(warningOf).find((warning) => warning !== undefined);
}

/** A failed check's request, expectations and responses, a line each; what several have in common, once. */
export function evidenceLines(check: CheckResult, plain: (message: Message) => string): string[] {
  const { evidence } = describeFinding(check);
  if (evidence === undefined) return [];
  const lines = [
    `Request:  ${plain(evidence.request)}`,
    ...evidence.expected.map((one) => `Expected: ${plain(one)}`),
    ...evidence.received.map((one) => `Received: ${plain(one)}`),
  ];
  return [...new Set(lines)];
}
