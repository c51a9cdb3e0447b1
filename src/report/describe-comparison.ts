import type {
  ComparisonResult,
  ComparisonVerdict,
  ContractChange,
  ThreadsRead,
} from "../comparison-results.ts";
import { code, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import { describeContractChange, describeRead, isComplete } from "./contract-changes.ts";

/** What came of a comparison, for people. */
interface DescribedComparison {
  /** As a part of a sentence; undefined if the comparison is no check of this run, which passes or fails. */
  readonly finding?: Message;
  readonly hint?: Message;
  readonly warnings: readonly Message[];
  readonly notice?: Message;
}

/** What to compare with, as messages name it. `target`: the input `compare_with`. */
export function comparedName(target: string): Message {
  return target === "previous" ? text`what was served before` : text`${code(target, 100)}`;
}

/** What there is to say of a comparison. `target`: the input `compare_with`. */
export function describeComparison(
  target: string,
  result: ComparisonResult,
  verdict: ComparisonVerdict,
): DescribedComparison {
  if (result.kind === "nothing_before") {
    return {
      warnings: [],
      notice: text`Nothing was compared, because the deployment served nothing before this run.`,
    };
  }
  const name = comparedName(target);
  const breaking = result.changes.filter((change) => change.breaking);
  const partly = describeIncomplete(name, result);
  const problems = [
    ...(breaking.length > 0 ? [breakingProblem(breaking, threadsOf(result))] : []),
    ...(result.kind === "unreadable" ? [unreadableProblem(result)] : []),
  ];
  const [first, ...others] = problems;
  if (first === undefined) return { finding: passedFinding(result), warnings: partly };
  const warningOf = ({ what, hint }: Problem) => text`Comparison with ${name}: ${what}. ${hint}`;
  if (verdict === "warned") return { warnings: [...problems.map(warningOf), ...partly] };
  const asWarning = text`${code("breaking_changes: warn")} makes this a warning.`;
  return {
    finding: first.what,
    hint: joined([first.hint, asWarning]),
    warnings: [...others.map(warningOf), ...partly],
  };
}

/** `what`: a part of a sentence. `hint`: a sentence. */
interface Problem {
  readonly what: Message;
  readonly hint: Message | undefined;
}

function breakingProblem(breaking: readonly ContractChange[], threads: ThreadsRead | undefined): Problem {
  const [first] = breaking;
  const { what, advice } =
    first === undefined ? { what: text``, advice: undefined } : describeContractChange(first, threads);
  const count =
    breaking.length === 1
      ? text`1 breaking change. `
      : text`${breaking.length} breaking changes. The first: `;
  return { what: text`${count}${withoutFullStop(what)}`, hint: advice };
}

function unreadableProblem({ what, error }: Extract<ComparisonResult, { kind: "unreadable" }>): Problem {
  const subject = {
    compared: text`the agent to compare with could not be read`,
    new: text`the new revision could not be read`,
    threads: text`the threads that wait could not be read`,
    parts: text`nothing but the names of the graphs could be compared`,
  } as const;
  return { what: text`${subject[what]}. ${withoutFullStop(error.text)}`, hint: error.hint };
}

/** Undefined if they could not be read. */
export function threadsOf(result: ComparisonResult): ThreadsRead | undefined {
  return result.kind === "compared" ? result.threads : undefined;
}

/** Whether everything was compared. */
export function isWholeComparison(result: ComparisonResult): boolean {
  return (
    result.kind === "compared" &&
    isComplete(result.threads) &&
    !result.changes.some(({ kind }) => kind === "not_compared")
  );
}

/** What there is to say of a comparison without a breaking change, as a part of a sentence. */
export function passedFinding(result: ComparisonResult): Message {
  return isWholeComparison(result)
    ? text`no breaking change`
    : text`no breaking change in what could be compared`;
}

/** A warning for each kind of thing that was read in part. */
function describeIncomplete(name: Message, result: ComparisonResult): Message[] {
  const threads = threadsOf(result);
  const unread = "changes" in result ? result.changes.filter(isUnread) : [];
  const [first] = unread;
  return [
    ...(threads === undefined || isComplete(threads)
      ? []
      : [
          text`Comparison with ${name}: ${describeRead(threads)} threads that wait were read. Others may wait at a node that is gone.`,
        ]),
    ...(first === undefined
      ? []
      : [
          text`Comparison with ${name}: ${unread.length} of its parts could not be read. ${describeContractChange(first, threads).what}`,
        ]),
  ];
}

function isUnread(change: ContractChange): boolean {
  return change.kind === "not_compared" && change.reason.kind === "unread";
}
