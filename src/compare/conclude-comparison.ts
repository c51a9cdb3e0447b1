import type { Failure } from "../errors.ts";
import { code, joined, type Message, text, withoutFullStop } from "../text/message.ts";
import type { Comparison } from "./comparison.ts";
import { type ContractChange, summarizeChanges } from "./contract-change.ts";

/** What a comparison says of the new revision. */
export interface Conclusion {
  readonly passed: boolean;
  /** Passed, but worth a look. */
  readonly warns: boolean;
  /** What was found, as a part of a sentence. */
  readonly what: Message;
  /** The same in a few words. */
  readonly summary: Message;
  readonly hint?: Message | undefined;
  readonly changes: readonly ContractChange[];
}

const maxGaps = 3;
const asWarning = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

/** `isGate`: whether a breaking change, and what can't be read at all, fails the run. */
export function concludeComparison({ changes, gaps, blind }: Comparison, isGate: boolean): Conclusion {
  const breaking = changes.find(({ severity }) => severity === "breaking");
  const summary = summarizeChanges(changes, gaps.length > 0 || blind !== undefined);
  const unread = blind && joined([text`The waiting threads could not be read.`, ...reasonsOf(blind)]);
  const further = gaps.length - maxGaps;
  const more = further > 0 ? text`${further} more parts could not be compared.` : undefined;
  const problems = [breaking?.message, unread, ...gaps.slice(0, maxGaps), more].filter(
    (problem) => problem !== undefined,
  );
  const what = problems.length === 0 ? summary : text`${summary}. ${withoutFullStop(joined(problems))}`;
  const isBad = breaking !== undefined || blind !== undefined;
  const passed = !isBad || !isGate;
  return {
    passed,
    warns: passed && problems.length > 0,
    what,
    summary,
    hint: passed ? undefined : asWarning,
    changes,
  };
}

/** One of the agents could not be read. `which`: as a part of a sentence. */
export function concludeUnread(which: Message, failure: Failure, isGate: boolean): Conclusion {
  const summary = text`${which} could not be read`;
  const what = text`${summary}. ${withoutFullStop(joined(reasonsOf(failure)))}`;
  const hint = isGate ? asWarning : undefined;
  return { passed: !isGate, warns: !isGate, what, summary, hint, changes: [] };
}

function reasonsOf({ ending }: Failure): readonly Message[] {
  return [ending.message, ending.hint];
}
