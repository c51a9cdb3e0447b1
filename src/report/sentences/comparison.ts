import type { Failure } from "../../errors.ts";
import type { ComparisonResult, ContractChange, ThreadsRead } from "../../results/comparison.ts";
import { code, distinct, joined, listed, type Message, text, withoutFullStop } from "../../text/message.ts";
import type { ComparisonFacts } from "../facts.ts";
import { describeContractChange, describeRead, isComplete } from "./contract-changes.ts";
import { describeGap } from "./not-compared.ts";

/** What to compare with, as messages name it. `target`: the input `compare_with`. */
export function comparedName(target: string): Message {
  return target === "previous" ? text`the previous revision` : text`${code(target, 100)}`;
}

/** `what`: a part of a sentence. */
interface Problem {
  readonly what: Message;
  readonly hint: Message | undefined;
}

/** What fails the check, or is the first warning; undefined if nothing speaks against the new revision. */
export function comparisonProblem(result: ComparisonResult): Problem | undefined {
  const [first] = problemsOf(result);
  return first && { ...first, hint: joined([first.hint, asWarning]) };
}

const asWarning = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

/** What a comparison warns of, as sentences: with a gate, the first problem fails the check instead. */
export function comparisonWarnings({ target, isGate, result }: ComparisonFacts): Message[] {
  const problems = problemsOf(result).map(({ what, hint }) => text`${what}. ${hint}`);
  const warnings = [...(isGate ? problems.slice(1) : problems), ...describeIncomplete(result)];
  // A warning about a missing deployment names it itself.
  if (result.kind === "unreadable" && isMissing(result.error)) return warnings;
  return warnings.map((warning) => text`Comparison with ${comparedName(target)}: ${warning}`);
}

function problemsOf(result: ComparisonResult): Problem[] {
  const [first] = breakingChanges(result);
  return [
    ...(first === undefined ? [] : [breakingProblem(first, result)]),
    ...(result.kind === "unreadable" ? [unreadableProblem(result)] : []),
  ];
}

function breakingChanges(result: ComparisonResult): readonly ContractChange[] {
  return changesOf(result).filter(({ breaking }) => breaking);
}

function changesOf(result: ComparisonResult): readonly ContractChange[] {
  return "changes" in result ? result.changes : [];
}

function breakingProblem(first: ContractChange, result: ComparisonResult): Problem {
  const { what, advice } = describeContractChange(first, threadsOf(result));
  const others = breakingChanges(result).length > 1 ? text` The first:` : undefined;
  return { what: text`${summarizeComparison(result)}.${others} ${withoutFullStop(what)}`, hint: advice };
}

type Unreadable = Extract<ComparisonResult, { kind: "unreadable" }>;

const unreadable: Readonly<Record<Unreadable["what"], Message>> = {
  compared: text`the agent to compare with could not be read`,
  new: text`the new revision could not be read`,
  threads: text`the waiting threads could not be read`,
  nodes: text`the new revision's nodes could not be read, though threads are waiting on the graph`,
  parts: text`only the names of the graphs could be compared`,
};

function unreadableProblem({ what, error }: Unreadable): Problem {
  const reason = withoutFullStop(error.ending.message);
  // That says it all.
  return { what: isMissing(error) ? reason : text`${unreadable[what]}. ${reason}`, hint: error.ending.hint };
}

function isMissing(error: Failure): boolean {
  return error.code === "no_deployment";
}

function describeUnreadable({ what, error }: Unreadable): Message {
  return isMissing(error) ? text`nothing to compare with` : unreadable[what];
}

/** Undefined if they could not be read. */
export function threadsOf(result: ComparisonResult): ThreadsRead | undefined {
  return "threads" in result ? result.threads : undefined;
}

/** Whether everything was compared that was there. */
export function isWholeComparison(result: ComparisonResult): boolean {
  return (
    result.kind === "compared" &&
    isComplete(result.threads) &&
    !result.changes.some(({ kind }) => kind === "not_compared")
  );
}

/** What a comparison found in a few words, as a part of a sentence. */
export function summarizeComparison(result: ComparisonResult): Message {
  const count = breakingChanges(result).length;
  if (count > 0) {
    const breaking = text`${count} breaking ${count === 1 ? text`change` : text`changes`}`;
    const gaps = countGaps(result);
    const last = gaps.pop();
    return joined([breaking, ...gaps, last && text`and ${last}`], ", ");
  }
  if (result.kind === "unreadable") return describeUnreadable(result);
  return isWholeComparison(result)
    ? text`no breaking change`
    : text`no breaking change in what could be compared`;
}

/** What a count of breaking changes does not cover, as parts of a sentence. */
function countGaps(result: ComparisonResult): Message[] {
  const threads = threadsOf(result);
  const gaps = changesOf(result).filter(({ kind }) => kind === "not_compared").length;
  return [
    ...(gaps === 0 ? [] : [text`${gaps} ${gaps === 1 ? text`part` : text`parts`} not compared`]),
    ...(threads === undefined || isComplete(threads)
      ? []
      : [text`${describeRead(threads)} waiting ${threadsNoun(threads)} read`]),
    ...(result.kind === "unreadable" ? [describeUnreadable(result)] : []),
  ];
}

const maxGaps = 3;

/** What a comparison that found nothing breaking did not compare, as a part of a sentence; undefined if nothing is missing. */
export function describeGaps(result: ComparisonResult): Message | undefined {
  if (result.kind !== "compared" || isWholeComparison(result)) return undefined;
  const { threads, changes } = result;
  const gaps = changes.flatMap((change) =>
    change.kind === "not_compared"
      ? [text`${describeGap(change.reason)} of graph ${code(change.graph, 100)}`]
      : [],
  );
  const unread = isComplete(threads) ? [] : [text`all waiting threads (${describeRead(threads)} were read)`];
  // A schema may differ in several places.
  const missing = distinct([...unread, ...gaps]);
  const more = missing.length - maxGaps;
  const named = missing.slice(0, maxGaps);
  return text`not compared: ${listed(more > 0 ? [...named, text`${more} more`] : named)}`;
}

/** What there is to say of each kind of thing that was read in part. */
function describeIncomplete(result: ComparisonResult): Message[] {
  const threads = threadsOf(result);
  const unread = changesOf(result).filter(isUnread);
  const [first] = unread;
  const described = first && describeContractChange(first, threads);
  return [
    ...(threads === undefined || isComplete(threads)
      ? []
      : [
          text`Read ${describeRead(threads)} waiting ${threadsNoun(threads)}. Others may be waiting at a node that was removed.`,
        ]),
    ...(described === undefined
      ? []
      : [
          text`${unread.length} ${unread.length === 1 ? text`part` : text`parts`} could not be compared. ${joined([described.what, described.advice])}`,
        ]),
  ];
}

/** `thread` or `threads`, after `describeRead`. */
function threadsNoun({ read, total = read }: ThreadsRead): Message {
  return total === 1 ? text`thread` : text`threads`;
}

function isUnread(change: ContractChange): boolean {
  return change.kind === "not_compared" && change.reason.kind === "unread";
}
