import { AgentReader } from "../compare/agent-reader.ts";
import { compareContracts } from "../compare/compare-contracts.ts";
import { type ContractChange, type Gap, gapOf, summarizeChanges } from "../compare/contract-change.ts";
import type { Baseline } from "../compare/read-baseline.ts";
import { readContract } from "../compare/read-contract.ts";
import { type Failure, type Result, toResult } from "../errors.ts";
import type { CheckFinding } from "../state/check-result.ts";
import {
  code,
  inputName,
  joined,
  type Message,
  type Phrase,
  phrase,
  text,
  withoutFullStop,
} from "../text/message.ts";
import type { Check } from "./check.ts";

export interface CompareOptions {
  /** The name or id of the deployment to compare with, or `previous`; or the URL of an agent. */
  readonly comparedWith: string;
  /** Whether the run fails after a breaking change, or if an agent or all of its threads can't be read. */
  readonly isGate: boolean;
}

/**
 * Makes the check that compares an agent with another one (docs/specification.md#comparing-deployments). That one may
 * have been read already, before the write.
 */
export function comparisonCheck(
  { comparedWith, isGate }: CompareOptions,
  readBaseline: () => Promise<Result<Baseline>>,
): Check {
  const findUnread = (sentence: Message, error: Failure) =>
    findingOf(phrase`nothing was compared`, [], [gapOf(sentence, error, true)], isGate);
  return {
    kind: "comparison",
    name: comparedWith,
    verdictWithoutUrl: isGate ? "failed" : "warned",
    input: inputName("compare_with"),
    async perform(agent, context) {
      const before = await readBaseline();
      if (before.error !== undefined)
        return findUnread(text`The agent to compare with could not be read.`, before.error);
      const after = await toResult(() => readContract(new AgentReader(agent, context)));
      if (after.error !== undefined) return findUnread(text`The new version could not be read.`, after.error);
      const { changes, gaps } = compareContracts(before.value, after.value);
      for (const { message } of gaps) context.report.info(message);
      return { ...findingOf(summarizeChanges(changes, gaps), changes, gaps, isGate), changes };
    },
  };
}

const keepContractHint = text`Keep what callers, clients and waiting threads rely on, or update the callers and clients first.`;
const readAllHint = text`Follow the advice about what could not be read.`;
const warnInsteadHint = text`To make this a warning, set ${code("breaking_changes: warn")}.`;

function findingOf(
  summary: Phrase,
  changes: readonly ContractChange[],
  gaps: readonly Gap[],
  isGate: boolean,
): CheckFinding {
  const notable = changes.filter(({ severity }) => severity !== "note");
  const failingGaps = gaps.filter(({ failsGate }) => failsGate);
  const otherGaps = gaps.filter(({ failsGate }) => !failsGate);
  const problems = joined([firstOf(notable), firstOf([...failingGaps, ...otherGaps])]);
  if (problems.parts.length === 0) return { verdict: "passed", description: summary, summary };
  const description = phrase`${summary}. ${withoutFullStop(problems)}`;
  const isBreaking = notable.some(({ severity }) => severity === "breaking");
  const isFailed = isGate && (isBreaking || failingGaps.length > 0);
  if (!isFailed) return { verdict: "warned", description, summary };
  const hint = joined([isBreaking ? keepContractHint : readAllHint, warnInsteadHint]);
  return { verdict: "failed", description, summary, hint };
}

/** Returns the first message; the log has the others. */
function firstOf([first, ...others]: readonly { readonly message: Message }[]): Message | undefined {
  return first && others.length > 0 ? text`The first: ${first.message}` : first?.message;
}
