import { readAgent } from "../compare/agent-reader.ts";
import { compareContracts } from "../compare/compare-contracts.ts";
import { type ContractChange, type Gap, gapAfter, summarizeChanges } from "../compare/contract-change.ts";
import type { Baseline } from "../compare/read-baseline.ts";
import { readGraphs } from "../compare/read-contract.ts";
import type { Result } from "../errors.ts";
import { code, joined, type Message, type Phrase, phrase, text, withoutFullStop } from "../text/message.ts";
import type { Check, CheckFinding } from "./check.ts";

export interface CompareOptions {
  /** The name or id of the deployment to compare with, or `previous`; or the URL of an agent. */
  readonly comparedWith: string;
  /** Whether the run fails after a breaking change, or if an agent or all of its threads can't be read. */
  readonly isGate: boolean;
}

/**
 * Makes the check that compares an agent with another one (docs/specification.md#comparing-deployments). `readBaseline`: reads
 * that one, or returns what was read of it before the write.
 */
export function comparisonCheck(
  { comparedWith, isGate }: CompareOptions,
  readBaseline: () => Promise<Result<Baseline>>,
): Check {
  const perform: Check["perform"] = async (agent, context) => {
    const before = await readBaseline();
    if (before.error !== undefined) {
      const lead = text`The agent to compare with could not be read.`;
      return findingOf(nothingCompared, [], [gapAfter(before.error, lead, true)], isGate);
    }
    const after = await readAgent(agent, context, readGraphs);
    if (after.error !== undefined) {
      const lead = text`The new version could not be read.`;
      return findingOf(nothingCompared, [], [gapAfter(after.error, lead, true)], isGate);
    }
    const { changes, gaps } = compareContracts(before.value, after.value);
    for (const { message } of gaps) context.report.info(message);
    return { ...findingOf(summarizeChanges(changes, gaps.length > 0), changes, gaps, isGate), changes };
  };
  return { kind: "comparison", name: comparedWith, wakes: false, perform };
}

const nothingCompared = phrase`nothing was compared`;
const keepContractHint = text`Keep what callers, clients and waiting threads rely on, or update the callers and clients first.`;
const readAllHint = text`Follow the advice about what could not be read.`;
const warnInsteadHint = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

function findingOf(
  summary: Phrase,
  changes: readonly ContractChange[],
  gaps: readonly Gap[],
  isGate: boolean,
): CheckFinding {
  const ofSeverity = (severity: ContractChange["severity"]) =>
    changes.filter((change) => change.severity === severity);
  const breaking = ofSeverity("breaking");
  const closing = gaps.filter(({ failsGate }) => failsGate);
  const others = gaps.filter(({ failsGate }) => !failsGate);
  const problems = joined([
    firstOf(breaking.length > 0 ? breaking : ofSeverity("byHand")),
    firstOf([...closing, ...others]),
  ]);
  if (problems.parts.length === 0) return { verdict: "passed", description: summary, summary };
  const description = phrase`${summary}. ${withoutFullStop(problems)}`;
  if (!isGate || breaking.length + closing.length === 0) return { verdict: "warned", description, summary };
  const hint = joined([breaking.length > 0 ? keepContractHint : readAllHint, warnInsteadHint]);
  return { verdict: "failed", description, summary, hint };
}

/** Returns the first message; the log has the others. */
function firstOf([first, ...others]: readonly { readonly message: Message }[]): Message | undefined {
  return first && others.length > 0 ? text`The first: ${first.message}` : first?.message;
}
