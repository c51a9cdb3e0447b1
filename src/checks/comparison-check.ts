import type { AgentClient } from "../agent/agent-client.ts";
import { compareContracts } from "../compare/compare-contracts.ts";
import { type ContractChange, summarizeChanges } from "../compare/contract-change.ts";
import { findGaps, type Gap } from "../compare/find-gaps.ts";
import type { Baseline } from "../compare/read-baseline.ts";
import { tryReadContract } from "../compare/read-contract.ts";
import type { Context } from "../context.ts";
import type { Failure, Result } from "../errors.ts";
import { code, joined, type Message, type Phrase, phrase, text, withoutFullStop } from "../text/message.ts";
import type { Check, CheckFinding } from "./check.ts";

/** The agent to compare with, or why there is none. */
export type ComparedAgent =
  | {
      readonly kind: "agent";
      /** Returns its contract, which may have been read before the write. */
      readonly read: () => Promise<Result<Baseline>>;
      /** Whether there is no such deployment, or it has no URL yet. Then `read` returns that failure. */
      readonly isMissing?: boolean;
    }
  | { readonly kind: "none"; readonly reason: Phrase };

/** The value of `compare_with` for the previous revision of the deployment itself. */
export const previousKeyword = "previous";

export interface CompareOptions {
  readonly input: "compare_with" | "compare_with_url";
  /** The name or id of the deployment to compare with, or `previous`; or the URL of an agent. */
  readonly comparedWith: string;
  /** Whether the run fails after a breaking change, or if an agent or all of its threads can't be read. */
  readonly isGate: boolean;
}

export function nothingComparedNotice(reason: Phrase): Message {
  return text`Nothing is compared with the previous revision, because ${reason}.`;
}

/** Makes the check that compares an agent with another one (docs/specification.md#comparing-deployments). */
export function comparisonCheck(
  context: Context,
  agent: Result<AgentClient>,
  { comparedWith, isGate }: CompareOptions,
  comparedAgent: ComparedAgent,
): Check {
  const { report } = context;
  const perform = async (): Promise<CheckFinding> => {
    if (comparedAgent.kind === "none") {
      report.notice(nothingComparedNotice(comparedAgent.reason));
      report.showComparison(comparedWith, []);
      return { verdict: "skipped", description: phrase`nothing to compare with` };
    }
    const before = await comparedAgent.read();
    if (before.error !== undefined) {
      const lead = comparedAgent.isMissing ? undefined : baselineUnread;
      return findingOf(describeUnread(before.error, lead), isGate);
    }
    const after = agent.error === undefined ? await tryReadContract(agent.value, context) : agent;
    if (after.error !== undefined)
      return findingOf(describeUnread(after.error, text`The new version could not be read.`), isGate);
    const changes = compareContracts(before.value, after.value);
    report.showComparison(comparedWith, changes);
    // First what closes the gate: only some are named.
    const gaps = [...before.value.gaps, ...findGaps(before.value, after.value)].toSorted(
      (left, right) => Number(right.failsGate) - Number(left.failsGate),
    );
    for (const { message } of gaps.slice(maxGaps)) report.info(message);
    return findingOf({ changes, gaps }, isGate);
  };
  return { kind: "comparison", name: comparedWith, wakes: comparedAgent.kind === "agent", perform };
}

interface ComparisonResult {
  readonly changes: readonly ContractChange[];
  readonly gaps: readonly Gap[];
  /** By default, the numbers of changes. */
  readonly summary?: Phrase;
  /** The next step for the user if an agent could not be read. */
  readonly hint?: Message;
}

const baselineUnread = text`The agent to compare with could not be read.`;

function describeUnread({ ending: { message, hint } }: Failure, lead: Message | undefined): ComparisonResult {
  const unread = joined([lead, message]);
  const summary = phrase`nothing was compared`;
  return { changes: [], gaps: [{ message: unread, failsGate: true }], summary, hint };
}

const maxGaps = 3;
const keepContractHint = text`Keep what callers, clients and waiting threads rely on, or update the callers and clients first.`;
const readAllHint = text`Follow the advice about what could not be read.`;
const warnInsteadHint = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

function firstOf([first, ...others]: readonly ContractChange[]): Message | undefined {
  return others.length > 0 ? text`The first: ${first?.message}` : first?.message;
}

function findingOf(compared: ComparisonResult, isGate: boolean): CheckFinding {
  const { changes, gaps, hint } = compared;
  const named = gaps.slice(0, maxGaps).map(({ message }) => message);
  const further = gaps.length - maxGaps;
  const more = further > 0 ? text`The log names ${further} more.` : undefined;
  const { summary = summarizeChanges(changes, gaps.length > 0) } = compared;
  const breaking = changes.filter(({ severity }) => severity === "breaking");
  const byHand = changes.filter(({ severity }) => severity === "byHand");
  const [first] = breaking;
  const passesGate = first === undefined && !gaps.some(({ failsGate }) => failsGate);
  const failed = isGate && !passesGate;
  // A check that did not fail has no hint of its own.
  const problems = joined([firstOf(breaking) ?? firstOf(byHand), ...named, more, failed ? undefined : hint]);
  const hasProblems = problems.parts.length > 0;
  const description = hasProblems ? phrase`${summary}. ${withoutFullStop(problems)}` : summary;
  if (!failed) return { verdict: hasProblems ? "warned" : "passed", description, summary };
  const next = joined([first ? keepContractHint : readAllHint, warnInsteadHint]);
  return { verdict: "failed", description, summary, hint: hint ?? next };
}
