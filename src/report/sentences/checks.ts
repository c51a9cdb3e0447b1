import { isDeepStrictEqual } from "node:util";
import type { Ending, Place } from "../../errors.ts";
import { hasBreakingChange, keepsContract } from "../../results/comparison.ts";
import type { CheckName, CheckResult, WatchResultOf } from "../../results/watch.ts";
import { code, duration, id, joined, listed, type Message, quote, text, word } from "../../text/message.ts";
import { describeGaps, summarizeComparison } from "./comparison.ts";
import { describeFinding } from "./findings.ts";
import { supersededHint } from "./watch.ts";

/** A check as a message names it, such as `health check` or `smoke test "greets"`. */
export function checkLabel(
  { kind, name }: CheckName,
  words: Readonly<Record<CheckResult["kind"], Message>> = inSentence,
): Message {
  if (kind === "comparison" && name === "previous") return text`${words[kind]} the previous revision`;
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
  if (!check.passed) return text`The ${describeFailure(check)}.`;
  const warning = warningOf(check);
  const subject = checkLabel(check, atStart);
  if (warning !== undefined) return text`${subject}: ${warning}.`;
  return text`${subject} passed after ${duration(check.durationMs)} (${describeFinding(check).what}).`;
}

/** That a check failed and why, as a part of a sentence after "the". */
function describeFailure(check: CheckResult): Message {
  const { what } = describeFinding(check);
  const { finding } = check;
  const isBreaking = finding.kind === "compared" && hasBreakingChange(finding.result);
  return text`${checkLabel(check)} ${isBreaking ? text`found` : text`failed:`} ${what}`;
}

/** The start of a sentence about two or more checks that passed. */
export function allOf(count: number): Message {
  return count === 2 ? text`Both` : text`All ${count}`;
}

/** What a check that passed warns of, as a part of a sentence; undefined if it failed, or there is nothing. */
export function warningOf({ passed, finding }: CheckResult): Message | undefined {
  if (!passed || finding.kind !== "compared") return undefined;
  const { result } = finding;
  if (!keepsContract(result)) return summarizeComparison(result);
  const gaps = describeGaps(result);
  return gaps && text`${summarizeComparison(result)} (${gaps})`;
}

/** What the checks of a run that succeeded warn of, in a few words; undefined if nothing. */
export function warningOfChecks(checks: readonly CheckResult[]): Message | undefined {
  const warned = checks.find((check) => warningOf(check) !== undefined);
  return warned?.finding.kind === "compared" ? summarizeComparison(warned.finding.result) : undefined;
}

/** A failed check's request, expectations and responses, a line each; what several have in common, once. */
export function evidenceLines(check: CheckResult, plain: (message: Message) => string): string[] {
  const { evidence } = describeFinding(check);
  if (evidence === undefined) return [];
  const lines = [
    `Request:  ${plain(evidence.request)}`,
    ...evidence.expected.map((expected) => `Expected: ${plain(expected)}`),
    ...(evidence.lastMessage === undefined ? [] : [`Message:  ${plain(evidence.lastMessage)}`]),
    ...evidence.received.map((received) => `Received: ${plain(received)}`),
  ];
  return [...new Set(lines)];
}

/** What to do about a check that failed after others, if it is not said of one of them; undefined for the first one. */
export function furtherHint(check: CheckResult, before: readonly CheckResult[]): Message | undefined {
  const hintOf = (failed: CheckResult) => describeFinding(failed).hint;
  const failedBefore = before.filter(({ passed }) => !passed);
  if (check.passed || failedBefore.length === 0) return undefined;
  const hint = hintOf(check);
  return failedBefore.some((failed) => isDeepStrictEqual(hintOf(failed), hint)) ? undefined : hint;
}

/** A newer revision is live, which would be checked instead. */
export function describeNotChecked({ revision, liveRevisionId }: WatchResultOf<"replaced">): Ending {
  return {
    outcome: "superseded",
    message: text`Revision ${id(revision.id)} was deployed, but not checked: the newer revision ${id(liveRevisionId)} is live now.`,
    hint: supersededHint,
  };
}

/** What is said of checks that passed: a sentence for each, and one for all smoke tests. */
export function describePassed(checks: readonly CheckResult[]): Message[] {
  const others = checks.filter(({ kind }) => kind !== "smoke test");
  const count = checks.length - others.length;
  const all = count === 1 ? text`The smoke test passed.` : text`${allOf(count)} smoke tests passed.`;
  return [...others.map(checkSentence), ...(count === 0 ? [] : [all])];
}

const maxNames = 9;

/** Which of the smoke tests failed besides the first one; the table of the checks and the log show all of them. */
function describeOthers(others: readonly CheckResult[]): Message {
  const names = others.slice(0, maxNames).map(({ name }) => text`${quote(name, 100)}`);
  const more = others.length - names.length;
  return text`Also failed: ${listed(more > 0 ? [...names, text`${more} more`] : names)}.`;
}

/** The first check that failed in a few words, such as `smoke test` or `2 breaking changes`; undefined if none did. */
export function failedCheckLabel(checks: readonly CheckResult[]): Message | undefined {
  const failed = checks.find(({ passed }) => !passed);
  if (failed === undefined) return undefined;
  const { kind, finding } = failed;
  return finding.kind === "compared" && hasBreakingChange(finding.result)
    ? summarizeComparison(finding.result)
    : word(kind);
}

/** At least one check failed. Only smoke tests can fail in numbers: other checks stop at the first failure. */
export function describeFailedChecks(
  revisionId: string,
  checks: readonly CheckResult[],
  { place, wasLive }: { readonly place: Place | undefined; readonly wasLive?: boolean | undefined },
): Ending {
  const [first, ...others] = checks.filter(({ passed }) => !passed);
  const isSuperseded = first?.finding.kind === "superseded";
  const deployed = text`Revision ${id(revisionId)} ${wasLive ? text`is live` : text`went live`}, but`;
  const tests = checks.filter(({ kind }) => kind === "smoke test").length;
  return {
    outcome: isSuperseded ? "superseded" : "failed",
    failure: first === undefined || isSuperseded ? undefined : text`${code(first.kind)} failed`,
    ...(others.length === 0
      ? { message: text`${deployed} the ${first && describeFailure(first)}.` }
      : {
          message: joined([
            text`${deployed} failed ${others.length + 1} of ${tests} smoke tests.`,
            first && checkSentence(first),
            describeOthers(others),
          ]),
        }),
    place,
    hint: isSuperseded
      ? supersededHint
      : joined([first && describeFinding(first).hint, describePlace(place)]),
  };
}

function describePlace(place: Place | undefined): Message | undefined {
  return place?.line === undefined
    ? undefined
    : text`The deploy log points to ${code(place.path)}, line ${place.line}.`;
}

/** `name`: of the deployment; `before`: the version before this run's revision, which is another. */
export function describeServerVersion(name: string, version: string, before: string): Message {
  return text`The agent server of ${code(name)} is now version ${code(version)}. Before this run, it was ${code(before)}.`;
}
